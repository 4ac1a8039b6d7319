import {
  at,
  callableTools,
  type Fault,
  isToolError,
  type Json,
  type JsonObject,
  judge,
  listAll,
  type Outcome,
  type Reply,
  refusalFault,
  serverScenario,
  success,
  tampers,
  tryTool,
  unmet,
} from '../../../src/suite/server.ts'

export default serverScenario({
  title: 'A call that breaks the form of tools/call gets a protocol error',
  needs: { capability: 'tools' },
  claims: { refused: 'tools.errors.malformed-request-is-protocol-error' },
  async *run(peer) {
    const { entries, replies } = await listAll(peer, 'tools/list', 'tools')
    // The control: the feature is there and answers.
    if (replies[0]?.kind !== 'result') {
      yield unmet('tools/list was not answered with a result')
      return
    }
    const nameless: [string, JsonObject][] = [
      ['without a name', { arguments: {} }],
      ['with a number as name', { name: 5, arguments: {} }],
    ]
    for (const [fault, params] of nameless) {
      const reply = await peer.request('tools/call', params, { intended: 'fault' })
      yield judge('refused', outcomeOf(reply), `a protocol error to a call ${fault}`, reply, faultOf(reply, fault))
    }
    const tool = callableTools(peer, entries)[0]
    // The control: with arguments of the right type it runs.
    const control = tool === undefined ? undefined : await tryTool(peer, tool, tool.args)
    if (tool === undefined || control?.kind !== 'result' || at(control.result, 'isError') === true) return
    for (const args of ['x', []] as Json[]) {
      const reply = await tryTool(peer, tool, args, 'fault')
      const fault = `whose arguments are ${JSON.stringify(args)}`
      if (reply === undefined) continue
      yield judge('refused', outcomeOf(reply), `a protocol error to a call ${fault}`, reply, faultOf(reply, fault))
    }
  },
  defects: [
    {
      named: 'a call without a name is an error of the tool undefined',
      breaks: 'refused',
      kind: 'wrong-type',
      tamper: malformed(params => at(params, 'name') === undefined, {
        content: [{ type: 'text', text: 'Tool undefined not found' }],
        isError: true,
      }),
    },
    {
      named: 'a number as name is answered as if all were well',
      breaks: 'refused',
      kind: 'accepted',
      tamper: malformed(params => at(params, 'name') === 5, { content: [] }),
    },
    {
      named: 'arguments of another type are taken for none',
      breaks: 'refused',
      kind: 'accepted',
      tamper: malformed(params => at(params, 'arguments') === 'x', { content: [{ type: 'text', text: 'done' }] }),
    },
    {
      named: 'a list of arguments is an error of the tool',
      breaks: 'refused',
      kind: 'wrong-type',
      tamper: malformed(params => Array.isArray(at(params, 'arguments')), { content: [], isError: true }),
    },
    {
      named: 'a call without a name is never answered',
      breaks: 'refused',
      kind: 'silent',
      replace: { drops: ({ method, params }) => method === 'tools/call' && at(params, 'name') === undefined },
    },
  ],
  variants: [
    {
      named: 'another code',
      tamper: tampers.error(error => ({ ...error, code: -32600 })),
    },
    { named: 'an empty list', shows: ['refused'], tamper: tampers.result('tools/list', () => ({ tools: [] })) },
  ],
})

/** A refusal by HTTP alone says the same, in fewer words. */
function outcomeOf(reply: Reply): Outcome {
  if (reply.kind === 'error') return 'holds'
  return reply.kind === 'http-error' && reply.http.status >= 400 && reply.http.status < 500 ? 'bends' : 'breaks'
}

/** An error of the tool is a refusal, but in the wrong place. */
const faultOf = (reply: Reply, call: string): Fault => ({
  kind: isToolError(reply) ? 'wrong-type' : refusalFault(reply),
  subject: `a call ${call}`,
})

function malformed(fits: (params: Json | undefined) => boolean, result: JsonObject) {
  return tampers.answer('tools/call', (message, { params }) => (fits(params) ? success(result)(message) : message))
}
