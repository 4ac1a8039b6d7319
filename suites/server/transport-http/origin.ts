import { at, type HttpReply, judge, serverScenario, tampers, unmet } from '../../../src/suite/server.ts'

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
    // Rebinding is a danger for servers on the user's own host; elsewhere proxies and public servers have their own rules.
    if (!peer.local) {
      const elsewhere = { text: 'the server does not run on loopback', frames: [] }
      for (const claim of ['validated', 'status', 'body'] as const)
        yield judge(claim, 'n/a', 'a local server', elsewhere)
      return
    }
    const control = await peer.http({ method: 'POST', body: peer.draft('ping') })
    if (control.status !== 200) {
      yield unmet(`the control, a ping without Origin, was answered with HTTP ${control.status}`)
      return
    }
    // One fact differs from the controls: the Origin.
    const answers: Record<string, HttpReply> = {
      initialize: await peer.http({
        method: 'POST',
        body: peer.draft('initialize', peer.hello.params),
        headers: { Origin: EVIL, 'MCP-Session-Id': null },
      }),
      POST: await peer.http({ method: 'POST', body: peer.draft('ping'), headers: { Origin: EVIL } }),
    }
    // The control of GET comes behind it, for some servers open one stream only. Where GET is refused anyway, it shows nothing.
    const get = await peer.http({ method: 'GET', headers: { Origin: EVIL } })
    if (get.status === 200 || (await peer.http({ method: 'GET' })).status === 200) answers.GET = get
    for (const [subject, answer] of Object.entries(answers)) {
      // An authorization layer may answer first.
      if (answer.status === 401) continue
      const refused = answer.status >= 400 && answer.status < 500
      yield judge('validated', refused, `a refusal (4xx) of the Origin ${EVIL}`, answer, {
        kind: answer.status < 300 ? 'accepted' : 'wrong-status',
        subject,
      })
      // What is invalid is the policy of the server: one that accepts it is named once, above.
      const forbidden = refused ? answer.status === 403 : 'n/a'
      yield judge('status', forbidden, 'HTTP 403 for an Origin that is refused', answer, { subject })
      const expected = 'a body that is empty, no JSON-RPC, or an error without id'
      yield judge('body', refused ? bodyOutcome(answer) : 'n/a', expected, answer, {
        kind: at(answer.json, 'error') === undefined ? 'wrong-type' : 'wrong-value',
        subject,
      })
    }
  },
  defects: [
    { named: 'every Origin is welcome', breaks: 'validated', kind: 'accepted', replace: { origin: () => undefined } },
    {
      named: 'only POST is guarded',
      breaks: 'validated',
      kind: 'accepted',
      tamper: tampers.http((answer, request) =>
        request.method === 'GET' && answer.status === 403
          ? { status: 200, headers: { 'Content-Type': 'text/event-stream' }, body: '' }
          : undefined,
      ),
    },
    {
      named: 'refuses with 400',
      breaks: 'status',
      kind: 'wrong-status',
      replace: { origin: origin => (origin === EVIL ? { status: 400, reason: 'no' } : undefined) },
    },
    {
      named: 'an id in the body',
      breaks: 'body',
      kind: 'wrong-value',
      tamper: tampers.http(answer =>
        answer.status === 403 ? { body: '{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"no"}}' } : undefined,
      ),
    },
    {
      named: 'a result in the body',
      breaks: 'body',
      kind: 'wrong-type',
      tamper: tampers.http(answer => (answer.status === 403 ? { body: '{"jsonrpc":"2.0","result":{}}' } : undefined)),
    },
  ],
  variants: [
    { named: 'no GET stream', replace: { get: () => ({ status: 405, reason: 'no stream' }) } },
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
