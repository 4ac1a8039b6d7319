import { judge, serverScenario, unmet } from '../../../src/suite.ts'

export default serverScenario({
  title: 'A session ended by DELETE is gone: requests that name it get 404',
  needs: { via: 'http' },
  session: 'fresh',
  claims: {
    deletion: 'transport-http.session.delete-405',
    gone: 'transport-http.session.terminated-404',
  },
  async *run(peer) {
    if (peer.sessionId === undefined) {
      const got = { text: 'the server hands out no session id', frames: peer.opening?.frames ?? [] }
      yield judge('deletion', 'n/a', 'a session id', got)
      yield judge('gone', 'n/a', 'a session id', got)
      return
    }
    const control = await peer.http({ method: 'POST', body: peer.draft('ping') })
    if (control.status !== 200) {
      yield unmet(`the control, a ping in the living session, was answered with HTTP ${control.status}`)
      return
    }
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
      yield judge('gone', 'n/a', 'a server that lets clients end sessions', deletion)
      return
    }
    const after = await peer.http({ method: 'POST', body: peer.draft('ping') })
    yield judge('gone', after.status === 404, 'HTTP 404 for a request in the ended session', after)
  },
  defects: [
    { named: 'the session lives on', breaks: 'gone', replace: { deletion: () => ({ ends: false, status: 204 }) } },
    {
      named: 'an ended session is answered with 400',
      breaks: 'gone',
      replace: { endedSession: () => ({ status: 400, reason: 'no such session' }) },
    },
    { named: 'DELETE ends in 500', breaks: 'deletion', replace: { deletion: () => ({ ends: false, status: 500 }) } },
    {
      named: 'DELETE is not implemented (501)',
      breaks: 'deletion',
      replace: { deletion: () => ({ ends: false, status: 501 }) },
    },
  ],
  variants: [
    { named: 'DELETE is refused with 405', replace: { deletion: () => ({ ends: false, status: 405 }) } },
    { named: 'DELETE is answered with 200', replace: { deletion: () => ({ ends: true, status: 200 }) } },
    { named: 'no sessions', replace: { sessionIds: () => undefined, missingSession: () => undefined } },
  ],
})
