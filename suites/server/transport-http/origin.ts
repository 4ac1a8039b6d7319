import { at, type HttpReply, judge, serverScenario, tampers, unmet } from '../../../src/suite.ts'

const EVIL = 'http://evil.example'

export default serverScenario({
  title: 'A request with a foreign Origin is refused with 403',
  needs: { via: 'http' },
  session: 'fresh',
  claims: {
    validated: 'transport-http.origin.validated',
    status: 'transport-http.origin.invalid-403',
    body: 'transport-http.origin.error-body-without-id',
  },
  async *run(peer) {
    const control = await peer.http({ method: 'POST', body: peer.draft('ping') })
    if (control.status !== 200) {
      yield unmet(`the control, a ping without Origin, was answered with HTTP ${control.status}`)
      return
    }
    // One fact differs from the control: the Origin.
    const answers = [
      await peer.http({
        method: 'POST',
        body: peer.draft('initialize', peer.hello.params),
        headers: { Origin: EVIL, 'MCP-Session-Id': null },
      }),
      await peer.http({ method: 'POST', body: peer.draft('ping'), headers: { Origin: EVIL } }),
      await peer.http({ method: 'GET', headers: { Origin: EVIL } }),
    ]
    for (const answer of answers) {
      // 405 on GET says nothing about the Origin; 401 is an authorization layer that answers first.
      if (answer.status === 405 || answer.status === 401) continue
      const refused = answer.status >= 400 && answer.status < 500
      yield judge('validated', refused, `a refusal (4xx) of the Origin ${EVIL}`, answer)
      if (refused) yield judge('status', answer.status === 403, 'HTTP 403', answer)
      else yield judge('status', false, 'HTTP 403', answer)
      if (refused)
        yield judge('body', bodyOutcome(answer), 'a body that is empty, no JSON-RPC, or an error without id', answer)
    }
  },
  defects: [
    { named: 'every Origin is welcome', breaks: 'validated', also: ['status'], replace: { origin: () => undefined } },
    {
      named: 'only POST is guarded',
      breaks: 'validated',
      also: ['status'],
      tamper: tampers.http((answer, request) =>
        request.method === 'GET' && answer.status === 403
          ? { status: 200, headers: { 'Content-Type': 'text/event-stream' }, body: '' }
          : undefined,
      ),
    },
    {
      named: 'refuses with 400',
      breaks: 'status',
      replace: { origin: origin => (origin === EVIL ? { status: 400, reason: 'no' } : undefined) },
    },
    {
      named: 'an id in the body',
      breaks: 'body',
      tamper: tampers.http(answer =>
        answer.status === 403 ? { body: '{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"no"}}' } : undefined,
      ),
    },
    {
      named: 'a result in the body',
      breaks: 'body',
      tamper: tampers.http(answer => (answer.status === 403 ? { body: '{"jsonrpc":"2.0","result":{}}' } : undefined)),
    },
  ],
  variants: [
    {
      named: 'an empty body',
      tamper: tampers.http(answer => (answer.status === 403 ? { headers: {}, body: '' } : undefined)),
    },
  ],
})

function bodyOutcome(answer: HttpReply): 'holds' | 'bends' | 'breaks' {
  if (at(answer.json, 'jsonrpc') === undefined) return 'holds'
  if (at(answer.json, 'error') === undefined) return 'breaks'
  const id = at(answer.json, 'id')
  return id === undefined ? 'holds' : id === null ? 'bends' : 'breaks'
}
