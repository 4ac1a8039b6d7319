import {
  codes,
  type JsonObject,
  judge,
  refusalFault,
  serverScenario,
  success,
  tampers,
  unmet,
} from '../../../src/suite/server.ts'

/** Requests without the one member that says what they are about; nothing is read, made or called by them. */
const REQUESTS: { capability: string; list: string; method: string; params: JsonObject; lacks: string }[] = [
  { capability: 'prompts', list: 'prompts/list', method: 'prompts/get', params: { arguments: {} }, lacks: 'name' },
  { capability: 'resources', list: 'resources/list', method: 'resources/read', params: {}, lacks: 'uri' },
  { capability: 'tools', list: 'tools/list', method: 'tools/call', params: { arguments: {} }, lacks: 'name' },
]

export default serverScenario({
  title: 'A request without a required parameter gets error -32602',
  claims: { code: 'base.error.invalid-params-code' },
  async *run(peer) {
    const offered = REQUESTS.filter(({ capability }) => Object.hasOwn(peer.capabilities, capability))
    if (offered.length === 0) {
      yield judge('code', 'n/a', 'prompts, resources or tools', peer.opening ?? [])
      return
    }
    for (const { list, method, params, lacks } of offered) {
      // The control: the feature is there and answers.
      if ((await peer.request(list)).kind !== 'result') {
        yield unmet(`${list} was not answered with a result`)
        continue
      }
      const reply = await peer.request(method, params, { intended: 'fault' })
      // That such a request succeeds (or is a tool error) is a matter of its method, not of the code.
      const outcome = reply.kind === 'result' ? 'n/a' : reply.kind === 'error' && reply.code === codes.invalidParams
      yield judge('code', outcome, `error -32602 to ${method} without ${lacks}`, reply, {
        kind: refusalFault(reply),
        subject: method,
      })
    }
  },
  defects: [
    {
      named: 'an internal error instead',
      breaks: 'code',
      kind: 'wrong-code',
      tamper: tampers.error(error => ({ ...error, code: codes.internalError })),
    },
    {
      named: 'resources/read looks for the resource undefined',
      breaks: 'code',
      kind: 'wrong-code',
      tamper: tampers.answer('resources/read', message => ({
        ...message,
        error: { code: codes.resourceNotFound, message: 'Resource undefined not found' },
      })),
    },
    {
      named: 'tools/call without name is never answered',
      breaks: 'code',
      kind: 'silent',
      replace: { drops: message => message.method === 'tools/call' },
    },
  ],
  variants: [
    { named: 'offers no feature', replace: { capabilities: {} } },
    {
      named: 'answers a call of no tool with a tool error',
      tamper: tampers.answer(
        'tools/call',
        success({ content: [{ type: 'text', text: 'Tool undefined not found' }], isError: true }),
      ),
    },
  ],
})
