import { headerValue, judge, serverScenario, tampers, unmet } from '../../../src/suite/server.ts'
import { opensSessions } from '../_eras.ts'

const ID = { 'Mcp-Session-Id': 'x-conformance-no-such-session' }

export default serverScenario({
  title: 'A server without sessions has no GET and no DELETE, and neither reads nor gives session ids',
  needs: { since: '2026-07-28', via: 'http' },
  claims: {
    get: 'transport-http.legacy-get-405',
    delete: 'transport-http.legacy-delete-405',
    ignored: 'transport-http.session-id-ignored',
    minted: 'transport-http.session-id-not-minted',
  },
  async *run(peer) {
    const control = await peer.request('server/discover')
    if (control.kind !== 'result') {
      yield unmet('the control, server/discover, brought no result')
      return
    }
    const withId = await peer.request('server/discover', undefined, { headers: ID })
    const dual = await opensSessions(peer)
    const outcome = (holds: boolean) => (!holds && dual ? 'n/a' : holds)
    yield judge('ignored', outcome(withId.kind === 'result'), 'a result', withId)
    for (const [reply, subject] of [
      [control, 'the answer to a request'],
      [withId, 'the answer to a request with an id'],
    ] as const)
      yield judge(
        'minted',
        outcome(headerValue(reply.http?.headers ?? [], 'mcp-session-id') === undefined),
        'no Mcp-Session-Id',
        reply,
        { kind: 'unasked', subject },
      )
    for (const method of ['GET', 'DELETE'] as const) {
      const answer = await peer.http({ method, ...(method === 'DELETE' ? { headers: ID } : {}) })
      yield judge(method === 'GET' ? 'get' : 'delete', outcome(answer.status === 405), 'HTTP 405', answer)
    }
  },
  defects: [
    {
      named: 'a stream by GET',
      breaks: 'get',
      kind: 'wrong-status',
      tamper: tampers.http((_answer, { method }) =>
        method === 'GET' ? { status: 200, headers: { 'Content-Type': 'text/event-stream' }, body: '' } : undefined,
      ),
    },
    {
      named: 'takes a DELETE',
      breaks: 'delete',
      kind: 'wrong-status',
      tamper: tampers.http((_answer, { method }) => (method === 'DELETE' ? { status: 204, body: '' } : undefined)),
    },
    {
      named: 'does not know the session',
      breaks: 'ignored',
      kind: 'wrong-status',
      tamper: tampers.http((_answer, { method, headers }) =>
        method === 'POST' && headers['mcp-session-id'] !== undefined
          ? { status: 404, headers: {}, body: '' }
          : undefined,
      ),
    },
    {
      named: 'begins a session with each answer',
      breaks: 'minted',
      kind: 'unasked',
      tamper: tampers.http(({ headers }) => ({ headers: { ...headers, 'Mcp-Session-Id': 'session-1' } })),
    },
    {
      named: 'gives the session id back',
      breaks: 'minted',
      kind: 'unasked',
      tamper: tampers.http(({ headers }, request) => {
        const id = request.headers['mcp-session-id']
        return id === undefined ? undefined : { headers: { ...headers, 'Mcp-Session-Id': id } }
      }),
    },
  ],
})
