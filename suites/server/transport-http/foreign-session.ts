import { at, type HttpReply, judge, notification, serverScenario, unmet } from '../../../src/suite/server.ts'

const NOTIFICATION = notification('notifications/roots/list_changed')

export default serverScenario({
  title: 'A notification that names a session which was never opened is refused with an error status',
  needs: { via: 'http' },
  session: 'fresh',
  hello: { capabilities: { roots: { listChanged: true } } },
  claims: {
    refused: 'transport-http.post.not-accepted-error-status',
    body: 'transport-http.post.not-accepted-body-without-id',
  },
  async *run(peer) {
    const own = peer.sessionId
    if (own === undefined) {
      const got = { text: 'the server hands out no session id', frames: peer.opening?.frames ?? [] }
      for (const claim of ['refused', 'body'] as const) yield judge(claim, 'n/a', 'a session id', got)
      return
    }
    const control = await peer.http({ method: 'POST', body: NOTIFICATION })
    if (control.status !== 202) {
      yield unmet(`the control, a notification in the session, was answered with HTTP ${control.status}`)
      return
    }
    const foreign = await peer.http({
      method: 'POST',
      body: NOTIFICATION,
      headers: { 'MCP-Session-Id': neverIssued(own) },
    })
    // Nothing obliges the server to know the sessions it opened: one that accepts any id is not at fault here.
    const accepted = foreign.status === 202 && foreign.body === ''
    yield judge('refused', accepted ? 'n/a' : foreign.status >= 400, 'an HTTP status from 400 to 599', foreign)
    yield judge('body', accepted ? 'n/a' : bodyOutcome(foreign), 'a body that has no id', foreign, 'wrong-value')
  },
  defects: [
    {
      named: 'refuses with status 200',
      breaks: 'refused',
      kind: 'wrong-status',
      replace: { unknownSession: () => ({ status: 200, reason: 'there is no such session' }) },
    },
    {
      named: 'an id in the body',
      breaks: 'body',
      kind: 'wrong-value',
      tamper: out =>
        out.layer === 'http' && out.status === 404
          ? [{ ...out, body: '{"jsonrpc":"2.0","id":0,"error":{"code":-32001,"message":"no such session"}}' }]
          : [out],
    },
  ],
  variants: [
    { named: 'every id is taken', replace: { unknownSession: () => undefined } },
    { named: 'refuses with 400', replace: { unknownSession: () => ({ status: 400, reason: 'no such session' }) } },
    { named: 'no sessions', replace: { sessionIds: () => undefined, missingSession: () => undefined } },
  ],
})

/** As long as the real one and of the same characters, so that only its truth is missing. */
function neverIssued(id: string): string {
  const digits = /[0-9]/g
  const changed = id.replace(digits, digit => String((Number(digit) + 5) % 10))
  return changed === id ? [...id].reverse().join('') : changed
}

function bodyOutcome(answer: HttpReply): 'holds' | 'bends' | 'breaks' {
  const id = at(answer.json, 'id')
  if (at(answer.json, 'jsonrpc') === undefined || id === undefined) return 'holds'
  return id === null ? 'bends' : 'breaks'
}
