import {
  at,
  isObject,
  type Json,
  type JsonObject,
  judge,
  listAll,
  memberFault,
  type Revision,
  refusal,
  serverScenario,
  type Tamper,
  tampers,
  unmet,
} from '../../../src/suite/server.ts'

/** Definitions are shown up to this length. */
const SHOWN = 200

const isText = (value: Json): boolean => typeof value === 'string'

/** The members that a tool may leave out, with the revision that knows them first: before that they are nobody's. */
const OPTIONAL: Record<string, { since: Revision; fits: (value: Json) => boolean; form: string }> = {
  description: { since: '2024-11-05', fits: isText, form: 'a text' },
  title: { since: '2025-06-18', fits: isText, form: 'a text' },
  annotations: { since: '2025-03-26', fits: isObject, form: 'an object' },
  outputSchema: { since: '2025-06-18', fits: isObject, form: 'an object' },
  icons: { since: '2025-11-25', fits: Array.isArray, form: 'an array' },
  execution: { since: '2025-11-25', fits: isObject, form: 'an object' },
}
const HINTS = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint']
const TASK_SUPPORT = ['forbidden', 'optional', 'required']

export default serverScenario({
  title: 'tools/list gives an array of tools, each with a name and members of the right types',
  needs: { capability: 'tools' },
  claims: {
    supported: 'tools.list.supported',
    named: 'tools.tool.name-present',
    members: 'tools.tool.optional-members',
    annotations: 'tools.annotations.types',
    tasks: 'tools.execution.task-support-values',
  },
  async *run(peer) {
    for (const params of [undefined, {}]) {
      const reply = await peer.request('tools/list', params)
      const listed = reply.kind === 'result' && Array.isArray(at(reply.result, 'tools'))
      const form = params === undefined ? 'without params' : 'with empty params'
      yield judge('supported', listed, `an array of tools to tools/list ${form}`, reply, {
        kind: memberFault(reply, 'tools'),
        subject: form,
      })
      if (!listed) return
    }
    const { replies } = await listAll(peer, 'tools/list', 'tools')
    const tools = replies.flatMap(reply => {
      const page = reply.kind === 'result' ? at(reply.result, 'tools') : undefined
      return Array.isArray(page) ? page.map(tool => ({ tool, frames: reply.frames })) : []
    })
    if (tools.length === 0) yield unmet('no tool is listed')
    for (const { tool, frames } of tools) {
      const got = { text: JSON.stringify(tool).slice(0, SHOWN), frames }
      const name = at(tool, 'name')
      yield judge('named', typeof name === 'string' && name !== '', 'a tool with a name', got)
      if (!isObject(tool)) continue
      for (const [member, { since, fits, form }] of Object.entries(OPTIONAL)) {
        const value = tool[member]
        if (peer.revision < since) continue
        yield judge('members', value === undefined || fits(value), `${member}: ${form}, or absent`, got)
      }
      if (isObject(tool.annotations)) yield judge('annotations', hintsFit(tool.annotations), hintsForm, got)
      const support = at(tool, 'execution', 'taskSupport')
      const known = support === undefined || TASK_SUPPORT.includes(String(support))
      yield judge('tasks', known, `taskSupport ${TASK_SUPPORT.join(', ')}, or absent`, got)
    }
    if (tools.length > 0 && !tools.some(({ tool }) => isObject(at(tool, 'annotations'))))
      yield judge('annotations', 'n/a', 'a tool with annotations', { text: 'no tool has any', frames: [] })
  },
  defects: [
    {
      named: 'answers tools/list with an error',
      breaks: 'supported',
      kind: 'refused',
      tamper: tampers.refuse('tools/list', -32601, 'Method not found'),
    },
    {
      named: 'insists on params',
      breaks: 'supported',
      kind: 'refused',
      tamper: tampers.answer('tools/list', (message, { params }) =>
        params === undefined ? refusal(-32602, 'no params')(message) : message,
      ),
    },
    {
      named: 'tools by name in an object',
      breaks: 'supported',
      kind: 'wrong-type',
      tamper: tampers.result('tools/list', () => ({ tools: { test_x: {} } })),
    },
    {
      named: 'never answers',
      breaks: 'supported',
      kind: 'silent',
      replace: { drops: ({ method }) => method === 'tools/list' },
    },
    { named: 'a tool without a name', breaks: 'named', tamper: withTool({ name: undefined, title: 'X' }) },
    { named: 'an empty name', breaks: 'named', tamper: withTool({ name: '' }) },
    { named: 'a number as name', breaks: 'named', tamper: withTool({ name: 7 }) },
    {
      named: 'only names',
      breaks: 'named',
      tamper: tampers.result('tools/list', () => ({ tools: ['test_x'] })),
    },
    ...[
      { description: null },
      { title: 5 },
      { annotations: [] },
      { outputSchema: null },
      { icons: {} },
      { execution: 'optional' },
    ].map(member => ({
      named: `a tool with ${JSON.stringify(member)}`,
      breaks: 'members' as const,
      tamper: withTool(member),
    })),
    ...[{ readOnlyHint: 'true' }, { destructiveHint: null }, { title: ['X'] }].map(annotations => ({
      named: `annotations ${JSON.stringify(annotations)}`,
      breaks: 'annotations' as const,
      tamper: withTool({ annotations }),
    })),
    {
      named: 'taskSupport is a boolean',
      breaks: 'tasks',
      tamper: withTool({ execution: { taskSupport: true } }),
    },
    {
      named: 'taskSupport is a word of its own',
      breaks: 'tasks',
      tamper: withTool({ execution: { taskSupport: 'never' } }),
    },
  ],
  variants: [
    {
      named: 'a tool with nothing but name and schema',
      tamper: tampers.result('tools/list', () => ({ tools: [{ name: 'test_x', inputSchema: { type: 'object' } }] })),
    },
    {
      named: 'all members, and some of its own',
      shows: ['annotations', 'tasks'],
      tamper: withTool({
        annotations: { title: 'X', readOnlyHint: true, openWorldHint: false, 'x-own': 1 },
        execution: { taskSupport: 'optional' },
        icons: [],
        'x-own': null,
      }),
    },
    {
      named: 'execution of its own, before the revision that defines it',
      spec: '2025-06-18',
      tamper: withTool({ execution: 'fast', icons: 'x.png' }),
    },
    { named: 'an empty list', tamper: tampers.result('tools/list', () => ({ tools: [] })) },
  ],
})

const hintsForm = 'annotations with a text as title and booleans as hints'

const hintsFit = (annotations: JsonObject): boolean =>
  ['string', 'undefined'].includes(typeof annotations.title) &&
  HINTS.every(hint => ['boolean', 'undefined'].includes(typeof annotations[hint]))

/** One more tool, with these members beside the usual ones. */
function withTool(members: JsonObject): Tamper {
  return tampers.result('tools/list', result => {
    const tools = at(result, 'tools')
    const tool = { name: 'test_x', inputSchema: { type: 'object' }, ...members }
    return { ...result, tools: [...(Array.isArray(tools) ? tools : []), tool] }
  })
}
