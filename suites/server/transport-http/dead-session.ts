import { at, type HttpReply, judge, type Kind, serverScenario, unmet } from '../../../src/suite/server.ts'

export default serverScenario({
  title: 'A session ended by DELETE is gone: requests that name it get 404',
  needs: { via: 'http' },
  session: 'fresh',
  claims: {
    deletion: 'transport-http.session.delete-405',
    gone: 'transport-http.session.terminated-404',
    others: 'transport-http.endpoint.multiple-clients',
  },
  async *run(peer) {
    if (peer.sessionId === undefined) {
      const got = { text: 'the server hands out no session id', frames: peer.opening?.frames ?? [] }
      for (const claim of ['deletion', 'gone', 'others'] as const) yield judge(claim, 'n/a', 'a session id', got)
      return
    }
    const control = await peer.http({ method: 'POST', body: peer.draft('ping') })
    if (control.status !== 200) {
      yield unmet(`the control, a ping in the living session, was answered with HTTP ${control.status}`)
      return
    }
    const stream = await peer.http({ method: 'GET' })
    const other = await peer.another({})
    const deletion = await peer.http({ method: 'DELETE' })
    const taken = deletion.status >= 200 && deletion.status < 300
    const odd = [400, 404, 501].includes(deletion.status)
    yield judge(
      'deletion',
      taken || deletion.status === 405 ? 'holds' : odd ? 'bends' : 'breaks',
      'a status 2xx or 405',
      deletion,
    )
    if (!taken) {
      for (const claim of ['gone', 'others'] as const)
        yield judge(claim, 'n/a', 'a server that lets clients end sessions', deletion)
      return
    }
    const after = await peer.http({ method: 'POST', body: peer.draft('ping') })
    yield judge('gone', after.status === 404, 'HTTP 404 for a request in the ended session', after, {
      kind: faultOf(after),
      subject: 'POST',
    })
    // "Requests" are HTTP requests of any method, but all known servers think of POST first.
    const methods = stream.status === 200 ? ['GET', 'DELETE'] : ['DELETE']
    for (const method of methods) {
      const again = await peer.http({ method })
      yield judge(
        'gone',
        again.status === 404 ? 'holds' : 'bends',
        `HTTP 404 for ${method} in the ended session`,
        again,
        { kind: faultOf(again), subject: method },
      )
    }
    if (other.opening?.kind !== 'result') return
    const living = await other.request('ping')
    yield judge('others', living.kind === 'result', 'an answer in the session that nobody ended', living)
  },
  defects: [
    {
      named: 'the session lives on',
      breaks: 'gone',
      kind: 'accepted',
      replace: { deletion: () => ({ ends: false, status: 204 }) },
    },
    {
      named: 'an ended session is answered with 400',
      breaks: 'gone',
      kind: 'wrong-status',
      replace: { endedSession: () => ({ status: 400, reason: 'no such session' }) },
    },
    {
      named: 'an ended session is answered with 200 and an error',
      breaks: 'gone',
      kind: 'wrong-status',
      replace: { endedSession: () => ({ status: 200, reason: 'no such session' }) },
    },
    {
      named: 'GET still opens a stream in an ended session',
      breaks: 'gone',
      kind: 'accepted',
      verdict: 'warn',
      replace: {
        endedSession: (_id, method) =>
          method === 'GET' ? undefined : { status: 404, reason: 'the session has ended' },
      },
    },
    { named: 'DELETE ends every session', breaks: 'others', kind: 'refused', replace: endsAll },
    {
      named: 'DELETE ends in 500',
      breaks: 'deletion',
      kind: 'wrong-status',
      replace: { deletion: () => ({ ends: false, status: 500 }) },
    },
    {
      named: 'DELETE is not implemented (501)',
      breaks: 'deletion',
      kind: 'wrong-status',
      verdict: 'info',
      replace: { deletion: () => ({ ends: false, status: 501 }) },
    },
  ],
  variants: [
    { named: 'DELETE is refused with 405', replace: { deletion: () => ({ ends: false, status: 405 }) } },
    { named: 'DELETE is answered with 200', replace: { deletion: () => ({ ends: true, status: 200 }) } },
    { named: 'no sessions', replace: { sessionIds: () => undefined, missingSession: () => undefined } },
  ],
})

/** An error in the body refuses, too, but by the wrong status. */
const faultOf = ({ status, json }: HttpReply): Kind =>
  status < 300 && at(json, 'error') === undefined ? 'accepted' : 'wrong-status'

function endsAll() {
  let ended = false
  return {
    deletion: () => {
      ended = true
      return { ends: true, status: 204 }
    },
    versionHeader: () => (ended ? { status: 404, reason: 'the session has ended' } : undefined),
  }
}
