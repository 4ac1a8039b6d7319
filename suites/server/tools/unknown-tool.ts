import {
  at,
  callableTools,
  codes,
  isToolError,
  type JsonObject,
  judge,
  listAll,
  refusal,
  refusalFault,
  serverScenario,
  success,
  tampers,
  tryTool,
  unmet,
} from '../../../src/suite/server.ts'

const NOBODY = 'x-conformance-none'

export default serverScenario({
  title: 'A call of a tool that does not exist gets error -32602, and names differ by upper and lower case',
  needs: { capability: 'tools' },
  claims: {
    error: 'tools.errors.unknown-tool-is-protocol-error',
    code: 'tools.errors.unknown-tool-code',
    case: 'tools.name.case-sensitive',
  },
  async *run(peer) {
    const { entries, replies } = await listAll(peer, 'tools/list', 'tools')
    if (replies[0]?.kind !== 'result') {
      yield unmet('tools/list was not answered with a result')
      return
    }
    const reply = await peer.request('tools/call', { name: NOBODY, arguments: {} })
    const kind = isToolError(reply) ? 'wrong-type' : refusalFault(reply)
    yield judge('error', reply.kind === 'error', 'a protocol error to a call of an unknown tool', reply, kind)
    if (reply.kind === 'error')
      yield judge('code', reply.code === codes.invalidParams, 'error -32602', reply, 'wrong-code')
    else yield judge('code', 'n/a', 'a protocol error', reply)

    const names = entries.map(entry => entry.name)
    const tool = callableTools(peer, entries).find(({ name }) => !names.includes(swapped(name)))
    // The control: under its own name the tool runs.
    const control = tool === undefined ? undefined : await tryTool(peer, tool, tool.args)
    if (tool === undefined || control?.kind !== 'result' || at(control.result, 'isError') === true) {
      yield unmet('no tool that may be called ran under its own name', 'case')
      return
    }
    const other = await tryTool(peer, { ...tool, name: swapped(tool.name) }, tool.args)
    if (other === undefined) yield unmet(`a call of ${swapped(tool.name)} took long`, 'case')
    else {
      const ran = other.kind === 'result' && at(other.result, 'isError') !== true
      yield judge('case', !ran, `no run of ${tool.name} under the name ${swapped(tool.name)}`, other, 'accepted')
    }
  },
  defects: [
    {
      named: 'an unknown tool as an error of the tool',
      breaks: 'error',
      kind: 'wrong-type',
      tamper: unknown(success({ content: [{ type: 'text', text: 'Unknown tool' }], isError: true })),
    },
    {
      named: 'an unknown tool succeeds',
      breaks: 'error',
      kind: 'accepted',
      tamper: unknown(success({ content: [] })),
    },
    {
      named: 'an unknown tool is never answered',
      breaks: 'error',
      kind: 'silent',
      replace: { drops: ({ params }) => at(params, 'name') === NOBODY },
    },
    {
      named: 'an unknown tool as an unknown method',
      breaks: 'code',
      kind: 'wrong-code',
      tamper: unknown(refusal(codes.methodNotFound, 'Method not found')),
    },
    {
      named: 'an unknown tool as an internal error',
      breaks: 'code',
      kind: 'wrong-code',
      tamper: unknown(refusal(codes.internalError, 'Internal error')),
    },
    {
      named: 'upper and lower case are one',
      breaks: 'case',
      kind: 'accepted',
      replace: { namesTool: (called, listed) => String(called).toLowerCase() === listed.toLowerCase() },
    },
  ],
  variants: [
    { named: 'an empty list', tamper: tampers.result('tools/list', () => ({ tools: [] })) },
    {
      named: 'the same name in both cases',
      tamper: tampers.result('tools/list', () => ({
        tools: ['test_simple_text', 'TEST_SIMPLE_TEXT'].map(name => ({ name, inputSchema: { type: 'object' } })),
      })),
    },
  ],
})

/** Every letter in the other case. */
function swapped(name: string): string {
  return name.replace(/[a-z]/gi, letter =>
    letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase(),
  )
}

/** Rewrites the answers to calls of no tool. */
function unknown(answer: (message: JsonObject) => JsonObject) {
  return tampers.answer('tools/call', (message, { params }) =>
    at(params, 'name') === NOBODY ? answer(message) : message,
  )
}
