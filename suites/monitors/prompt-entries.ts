import {
  at,
  followResults,
  isObject,
  type Json,
  type JsonObject,
  judge,
  monitor,
  type Revision,
  type Tamper,
  tampers,
  theirMessages,
} from '../../src/suite/monitor.ts'

/** What is wrong may be long: it is shown up to here. */
const SHOWN = 160
const isText = (value: Json): boolean => typeof value === 'string'

/** The optional members, with the revision that knows them first; before that they are nobody's business. */
const OPTIONAL: [member: string, since: Revision, fits: (value: Json) => boolean][] = [
  ['description', '2024-11-05', isText],
  ['arguments', '2024-11-05', Array.isArray],
  ['title', '2025-06-18', isText],
  ['icons', '2025-11-25', Array.isArray],
]
const OF_ARGUMENTS: typeof OPTIONAL = [
  ['description', '2024-11-05', isText],
  ['required', '2024-11-05', value => typeof value === 'boolean'],
  ['title', '2025-06-18', isText],
]

/** The results of prompts/list. A member that is not there is absent, never null. */
export default monitor({
  title: 'Listed prompts have a name, and members of the right type',
  claims: {
    name: 'prompts.prompt.name-present',
    members: 'prompts.prompt.optional-members',
    argument: 'prompts.argument.shape',
  },
  start: context => ({ context, follow: followResults('prompts/list'), heard: false, seen: new Set<string>() }),
  *see(state, frame) {
    state.heard ||= theirMessages(frame).length > 0
    const revision = state.context.revision()
    for (const { result } of state.follow(frame)) {
      for (const prompt of listAt(result, 'prompts')) {
        const got = shown(prompt)
        const name = at(prompt, 'name')
        state.seen.add('name').add('members')
        yield judge('name', isText(name ?? null) && name !== '', 'a prompt with a name', { text: got, frames: [frame] })
        const wrong = misfits(prompt, OPTIONAL, revision)
        const expected = 'text as title and description, arrays as icons and arguments'
        yield judge('members', wrong === '', expected, { text: wrong === '' ? got : wrong, frames: [frame] })
        for (const argument of listAt(prompt, 'arguments')) {
          state.seen.add('argument')
          const nameless = typeof at(argument, 'name') !== 'string'
          const inside = misfits(argument, OF_ARGUMENTS, revision)
          yield judge(
            'argument',
            isObject(argument) && !nameless && inside === '',
            'an argument with a name, text as title and description, a boolean as required',
            { text: `${shown(argument)} in the prompt ${shown(name ?? null)}`, frames: [frame] },
          )
        }
      }
    }
  },
  *end(state) {
    if (!state.heard) return
    for (const claim of ['name', 'members', 'argument'] as const)
      if (!state.seen.has(claim))
        yield judge(claim, 'n/a', 'a listed prompt', { text: 'nothing of the kind was listed', frames: [] })
  },
  defects: [
    ...[{ description: 'x' }, { name: '' }, { name: 7 }, { name: null, title: 'x' }].map(prompt => ({
      named: `lists ${JSON.stringify(prompt)}`,
      on: 'server/prompts/list',
      breaks: 'name' as const,
      tamper: listing(prompt),
    })),
    ...[
      { description: null },
      { description: ['x'] },
      { title: 7 },
      { icons: null },
      { icons: {} },
      { arguments: null },
      { arguments: { code: { required: true } } },
    ].map(members => ({
      named: `lists a prompt with ${JSON.stringify(members)}`,
      on: 'server/prompts/list',
      breaks: 'members' as const,
      tamper: listing({ name: 'x', ...members }),
    })),
    ...[
      'code',
      { description: 'the code' },
      { name: 'code', required: 'true' },
      { name: 'code', required: null },
      { name: 'code', description: null },
      { name: 'code', title: 1 },
    ].map(argument => ({
      named: `lists the argument ${JSON.stringify(argument)}`,
      on: 'server/prompts/list',
      breaks: 'argument' as const,
      tamper: listing({ name: 'x', arguments: [argument] }),
    })),
  ],
  variants: [
    {
      named: 'all members, and some of its own',
      on: 'server/prompts/list',
      shows: ['name', 'members', 'argument'],
      tamper: listing({
        name: 'x',
        title: '',
        description: '',
        icons: [],
        arguments: [{ name: 'code', title: 'Code', description: '', required: false, type: 'string' }],
        _meta: {},
        tags: null,
      }),
    },
    {
      named: 'a member that a later revision defines',
      on: 'server/prompts/list',
      spec: '2025-03-26',
      shows: ['members'],
      tamper: listing({ name: 'x', title: { en: 'X' }, icons: 'x.png', arguments: [] }),
    },
    {
      named: 'no prompt at all',
      on: 'server/prompts/list',
      tamper: tampers.result('prompts/list', () => ({ prompts: [] })),
    },
  ],
})

const shown = (value: Json): string => JSON.stringify(value).slice(0, SHOWN)

function listAt(value: Json, member: string): Json[] {
  const found = at(value, member)
  return Array.isArray(found) ? found : []
}

/** The members that are there and have the wrong type. */
const misfits = (value: Json, members: typeof OPTIONAL, revision: Revision): string =>
  members
    .flatMap(([member, since, fits]) => {
      const found = at(value, member)
      return found === undefined || revision < since || fits(found) ? [] : [`${member}: ${shown(found)}`]
    })
    .join(', ')

function listing(prompt: JsonObject): Tamper {
  return tampers.result('prompts/list', () => ({ prompts: [prompt] }))
}
