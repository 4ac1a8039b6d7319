import {
  at,
  isToolError,
  type Json,
  judge,
  listAll,
  refusal,
  serverScenario,
  success,
  tampers,
  unmet,
} from '../../../src/suite/server.ts'

const FAILING = 'test_error_handling'
const SAYS = 'This tool intentionally returns an error for testing'
/** Stands for a failure around the tool: the server finds it, and cannot reach it. */
const UNREACHABLE = 'test_server_failure'

export default serverScenario({
  title: 'A failure of a tool is reported in its result, and a failure of the server as a protocol error',
  needs: { capability: 'tools' },
  claims: {
    tool: 'tools.errors.execution-is-result',
    server: 'tools.errors.server-error-is-protocol-error',
  },
  async *run(peer) {
    const { entries } = await listAll(peer, 'tools/list', 'tools')
    const offered = (name: string): boolean => entries.some(tool => tool.name === name)
    if (!offered(FAILING)) yield unmet(`fixture ${FAILING} not offered`, 'tool')
    else {
      const reply = await peer.request('tools/call', { name: FAILING, arguments: {} })
      const reported = reply.kind === 'result' && isToolError(reply) && says(reply.result)
      const kind = reply.kind === 'error' ? 'wrong-type' : 'missing'
      yield judge('tool', reported, `isError: true, and the text "${SAYS}"`, reply, kind)
    }
    if (!offered(UNREACHABLE)) yield unmet(`fixture ${UNREACHABLE} not offered`, 'server')
    else {
      const reply = await peer.request('tools/call', { name: UNREACHABLE, arguments: {} })
      yield judge('server', reply.kind === 'error', 'a protocol error', reply, 'wrong-type')
    }
  },
  defects: [
    {
      named: 'a failure of the tool as a protocol error',
      breaks: 'tool',
      kind: 'wrong-type',
      tamper: tampers.answer('tools/call', message =>
        at(message, 'result', 'isError') === true ? refusal(-32603, SAYS)(message) : message,
      ),
    },
    {
      named: 'a failure of the tool as a success',
      breaks: 'tool',
      kind: 'missing',
      tamper: tampers.result('tools/call', result => ({ ...result, isError: undefined })),
    },
    {
      named: 'an error without a word',
      breaks: 'tool',
      kind: 'missing',
      tamper: tampers.result('tools/call', result => ({ ...result, content: [] })),
    },
    {
      named: 'a failure of the server as a failure of the tool',
      breaks: 'server',
      kind: 'wrong-type',
      tamper: tampers.answer('tools/call', message =>
        message.error === undefined
          ? message
          : success({ content: [{ type: 'text', text: 'failed' }], isError: true })(message),
      ),
    },
    {
      named: 'a failure of the server leaves the call without an answer',
      breaks: 'server',
      kind: 'silent',
      replace: { drops: ({ params }) => at(params, 'name') === UNREACHABLE },
    },
  ],
  variants: [
    {
      named: 'words around those of the tool',
      shows: ['tool'],
      tamper: tampers.result('tools/call', result => ({
        ...result,
        content: [{ type: 'text', text: `Error executing tool: ${at(result, 'content', 0, 'text')}` }],
      })),
    },
    { named: 'has no such tools', tamper: tampers.result('tools/list', () => ({ tools: [] })) },
  ],
})

/** Some servers put words of their own around those of the tool. */
function says(result: Json): boolean {
  const content = at(result, 'content')
  return Array.isArray(content) && content.some(block => String(at(block, 'text')).includes(SAYS))
}
