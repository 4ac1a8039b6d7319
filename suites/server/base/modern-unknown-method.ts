import { codes, idKey, judge, serverScenario, tampers, unmet } from '../../../src/suite/server.ts'
import { opensSessions } from '../_eras.ts'
import { faultOf, refused } from '../_refusals.ts'

const NO_METHOD = 'x-conformance/no-such-method'

/** One that nobody has, and some that ended with the sessions. */
const UNKNOWN = {
  [NO_METHOD]: {},
  ping: {},
  'logging/setLevel': { level: 'info' },
  'resources/subscribe': { uri: 'test://static-text' },
}

export default serverScenario({
  title: 'A method that the server does not have is answered with -32601, over HTTP with 404',
  needs: { since: '2026-07-28' },
  claims: {
    code: 'base.error.method-not-found-code',
    status: 'transport-http.unknown-method-404',
    body: 'transport-http.unknown-method-code',
  },
  async *run(peer) {
    const control = await peer.request('server/discover')
    if (control.kind !== 'result') {
      yield unmet('the control, server/discover, brought no result')
      return
    }
    for (const [method, params] of Object.entries(UNKNOWN)) {
      const pending = peer.request(method, params)
      const reply = await pending
      // A server of older clients as well has the older methods.
      if (method !== NO_METHOD && reply.kind === 'result' && (await opensSessions(peer))) continue
      const due = { code: codes.methodNotFound, subject: method }
      yield refused('code', reply, due)
      if (reply.http === undefined) continue
      yield judge('status', reply.http.status === 404, 'HTTP 404', reply, { kind: 'wrong-status', subject: method })
      if (reply.http.status !== 404) continue
      const own = reply.kind === 'error' && idKey(reply.id) === idKey(pending.id)
      const kind = faultOf(reply, due)
      yield judge('body', kind === undefined && own, 'error -32601 with the id of the request', reply, {
        kind: kind ?? 'wrong-value',
        subject: method,
      })
    }
  },
  defects: [
    {
      named: 'has any method',
      breaks: 'code',
      kind: 'accepted',
      also: ['status'],
      replace: { onUnknownMethod: ({ id }) => ({ jsonrpc: '2.0', id, result: {} }) },
    },
    {
      named: 'kept ping',
      breaks: 'code',
      kind: 'accepted',
      also: ['status'],
      replace: { extraMethods: { ping: () => ({}) } },
    },
    {
      named: 'an invalid request',
      breaks: 'code',
      kind: 'wrong-code',
      also: ['body', 'status'],
      replace: {
        onUnknownMethod: ({ id }) => ({ jsonrpc: '2.0', id, error: { code: codes.invalidRequest, message: 'no' } }),
      },
    },
    {
      named: 'status 200',
      breaks: 'status',
      kind: 'wrong-status',
      via: 'http',
      replace: { stateless: { statusOf: () => 200 } },
    },
    {
      named: 'a page in place of the error',
      breaks: 'body',
      kind: 'missing',
      also: ['code'],
      via: 'http',
      tamper: tampers.http(({ status }) =>
        status === 404 ? { headers: { 'Content-Type': 'text/html' }, body: '<p>Not Found</p>' } : undefined,
      ),
    },
    {
      named: 'the error without the id',
      breaks: 'body',
      kind: 'wrong-value',
      via: 'http',
      tamper: tampers.message(message => (message.error === undefined ? message : { ...message, id: undefined })),
    },
  ],
})
