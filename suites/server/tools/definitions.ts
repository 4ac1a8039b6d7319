import {
  at,
  type JsonObject,
  judge,
  listAll,
  memberFault,
  refusal,
  serverScenario,
  type Tamper,
  tampers,
  unmet,
} from '../../../src/suite/server.ts'

/** Definitions are shown up to this length. */
const SHOWN = 200

export default serverScenario({
  title: 'tools/list gives an array of tools, and no name in it is empty',
  needs: { capability: 'tools' },
  claims: {
    supported: 'tools.list.supported',
    named: 'tools.tool.name-present',
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
      // What else a definition consists of is a matter of monitors/schema.
      const name = at(tool, 'name')
      const got = { text: JSON.stringify(tool).slice(0, SHOWN), frames }
      if (typeof name === 'string') yield judge('named', name !== '', 'a name that is not empty', got, 'wrong-value')
    }
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
    { named: 'an empty name', breaks: 'named', kind: 'wrong-value', tamper: withTool({ name: '' }) },
  ],
  variants: [
    {
      named: 'a tool with nothing but name and schema',
      tamper: tampers.result('tools/list', () => ({ tools: [{ name: 'test_x', inputSchema: { type: 'object' } }] })),
    },
    { named: 'an empty list', tamper: tampers.result('tools/list', () => ({ tools: [] })) },
  ],
})

/** One more tool, with these members beside the usual ones. */
function withTool(members: JsonObject): Tamper {
  return tampers.result('tools/list', result => {
    const tools = at(result, 'tools')
    const tool = { name: 'test_x', inputSchema: { type: 'object' }, ...members }
    return { ...result, tools: [...(Array.isArray(tools) ? tools : []), tool] }
  })
}
