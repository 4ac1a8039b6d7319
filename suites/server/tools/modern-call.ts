import {
  at,
  callableTools,
  codes,
  isObject,
  type Json,
  judge,
  listAll,
  refusal,
  serverScenario,
  success,
  tampers,
  tryTool,
  unmet,
} from '../../../src/suite/server.ts'

const NO_TOOL = 'x-conformance-no-such-tool'

export default serverScenario({
  title: 'A call of a tool brings content; a call of one that is not there is an error of the protocol',
  needs: { since: '2026-07-28', capability: 'tools' },
  claims: { content: 'tools.result.content-array', unknown: 'tools.errors.unknown-tool-is-protocol-error' },
  async *run(peer) {
    const { entries } = await listAll(peer, 'tools/list', 'tools')
    const none = await peer.request('tools/call', { name: NO_TOOL, arguments: {} })
    const failed = none.kind === 'result' && at(none.result, 'isError') === true
    const outcome = none.kind === 'error' && none.code === codes.invalidParams ? 'holds' : failed ? 'bends' : 'breaks'
    yield judge('unknown', outcome, 'error -32602', none, none.kind === 'error' ? 'wrong-code' : 'accepted')
    const [tool] = callableTools(peer, entries)
    const reply = tool === undefined ? undefined : await tryTool(peer, tool, tool.args)
    if (tool === undefined || reply === undefined) {
      yield unmet(tool === undefined ? 'no tool may be called' : 'the tool takes longer than a test may', 'content')
      return
    }
    if (reply.kind !== 'result' && !tool.fixture) {
      yield unmet(`the tool ${tool.name} does not take the least arguments that its schema allows`, 'content')
      return
    }
    const content = reply.kind === 'result' ? at(reply.result, 'content') : undefined
    const kind =
      reply.kind !== 'result' ? {} : { kind: content === undefined ? ('missing' as const) : ('wrong-type' as const) }
    // An interim result has none: our call declares nothing that it could ask for.
    yield judge('content', areBlocks(content), 'a result with content, a list of blocks', reply, {
      ...kind,
      subject: tool.name,
    })
  },
  defects: [
    ...[undefined, { type: 'text', text: 'x' }, ['x']].map(content => ({
      named: `content is ${JSON.stringify(content) ?? 'left out'}`,
      breaks: 'content' as const,
      kind: content === undefined ? ('missing' as const) : ('wrong-type' as const),
      tamper: tampers.result('tools/call', result => ({ ...result, content })),
    })),
    {
      named: 'refuses the call',
      breaks: 'content',
      kind: 'refused',
      tamper: tampers.answer('tools/call', (message, { params }) =>
        at(params, 'name') === NO_TOOL ? message : refusal(codes.internalError)(message),
      ),
    },
    {
      named: 'an unknown tool does nothing',
      breaks: 'unknown',
      kind: 'accepted',
      tamper: tampers.answer('tools/call', (message, { params }) =>
        at(params, 'name') === NO_TOOL ? success({ resultType: 'complete', content: [] })(message) : message,
      ),
    },
    {
      named: 'an unknown tool fails',
      breaks: 'unknown',
      kind: 'accepted',
      verdict: 'warn',
      tamper: tampers.answer('tools/call', (message, { params }) =>
        at(params, 'name') === NO_TOOL
          ? success({ resultType: 'complete', content: [], isError: true })(message)
          : message,
      ),
    },
    {
      named: 'an unknown tool is an unknown method',
      breaks: 'unknown',
      kind: 'wrong-code',
      tamper: tampers.answer('tools/call', (message, { params }) =>
        at(params, 'name') === NO_TOOL ? refusal(codes.methodNotFound)(message) : message,
      ),
    },
  ],
})

const areBlocks = (value: Json | undefined): boolean =>
  Array.isArray(value) && value.every(block => isObject(block) && typeof block.type === 'string')
