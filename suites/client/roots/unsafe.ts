import {
  clientScenario,
  inResult,
  judge,
  type Reply,
  script,
  textAt,
  undone,
  unmet,
} from '../../../src/suite/client.ts'

/** What a user may have set up, by mistake or on bad advice: roots that lead out of what they show, each to another place. */
const UNSAFE = script({
  drive: {
    name: 'unsafe-roots',
    client: {
      roots: [
        { uri: 'file:///project/src' },
        { uri: 'file:///project/../secrets' },
        { uri: 'file:///project/%2e%2e/hidden' },
      ],
    },
    steps: [{ request: 'tools/list' }],
  },
  notes: (): { told?: Reply } => ({}),
  play(server, notes) {
    server.on('tools/list', async call => {
      if (call.conversation.capabilities.roots !== undefined) notes.told = await call.ask('roots/list')
      return { result: { tools: [] } }
    })
  },
})

export default clientScenario({
  title: 'The client lists no roots whose URI climbs out of its path',
  needs: { capability: 'roots' },
  script: UNSAFE,
  claims: { safe: 'roots.security.client-validates-uris' },
  *run(seen) {
    const { told } = seen.notes
    if (told === undefined) yield unmet(undone(seen, 'list the tools'))
    else if (told.kind === 'none') yield unmet('it did not tell its roots')
    // Whoever refuses such a set of roots altogether has looked at it.
    else if (told.kind !== 'result') yield judge('safe', true, 'no such roots', told)
    else {
      const roots = inResult(told, 'roots')
      const uris = (Array.isArray(roots) ? roots : []).flatMap(root => textAt(root, 'uri') ?? [])
      const unsafe = uris.filter(climbs)
      const expected = 'roots without .. in them, however it is written'
      if (unsafe.length === 0) yield judge('safe', true, expected, told)
      for (const uri of unsafe) yield judge('safe', false, expected, told, { kind: 'accepted', subject: uri })
    }
  },
  defects: [
    {
      named: 'tells what was set up',
      breaks: 'safe',
      kind: 'accepted',
      replace: ({ roots }) => ({ roots: { ...roots, told: list => list as [] } }),
    },
    {
      named: 'only looks for .. as it stands',
      breaks: 'safe',
      kind: 'accepted',
      replace: ({ roots }) => ({
        roots: { ...roots, told: list => list.filter(root => !textAt(root, 'uri')?.includes('..')) as [] },
      }),
    },
  ],
  variants: [
    {
      named: 'resolves them',
      shows: ['safe'],
      replace: ({ roots }) => ({
        roots: {
          ...roots,
          told: list => roots.told(list.map(root => ({ uri: new URL(textAt(root, 'uri') ?? '').href }))),
        },
      }),
    },
    {
      named: 'refuses to tell any of them',
      shows: ['safe'],
      replace: ({ roots }) => ({
        roots: {
          ...roots,
          told: () => {
            throw new Error('there is a root that must not be told')
          },
        },
      }),
    },
  ],
})

const climbs = (uri: string): boolean =>
  uri
    .replace(/%2e/gi, '.')
    .split(/[/\\]|%2f|%5c/i)
    .includes('..')
