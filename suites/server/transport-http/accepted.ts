import {
  type HttpReply,
  headerValue,
  judge,
  notification,
  request,
  serverScenario,
  success,
  type Tamper,
  textAt,
  unmet,
} from '../../../src/suite/server.ts'

/** The first has to be accepted. Whether others are is for the server to say, but then with 202. */
const NOTIFICATIONS: { method: string; optional?: true }[] = [
  { method: 'notifications/initialized' },
  { method: 'notifications/roots/list_changed', optional: true },
  { method: 'x-conformance/unknown', optional: true },
]

export default serverScenario({
  title: 'An accepted notification or response is answered with 202 and no body',
  needs: { via: 'http' },
  session: 'no-handshake',
  claims: {
    notification: 'transport-http.post.notification-accepted-202',
    response: 'transport-http.post.response-accepted-202',
    empty: 'transport-http.post.accepted-no-body',
    plain: 'transport-http.protocol-version.header-not-required-on-initialize',
    posts: 'transport-http.endpoint.supports-post',
  },
  async *run(peer) {
    const capabilities = { roots: { listChanged: true } }
    const initialize = request('accepted', 'initialize', { ...peer.hello.params, capabilities })
    const opening = await peer.http({ method: 'POST', body: initialize })
    yield judge('posts', opening.status !== 404 && opening.status !== 405, 'POST to be served', opening)
    if (opening.status !== 200) {
      // The control differs in the header only: a server for one client refuses either.
      const named = await peer.http({
        method: 'POST',
        body: initialize,
        headers: { 'MCP-Protocol-Version': peer.revision },
      })
      if (named.status === 200)
        yield judge('plain', false, 'initialize to succeed without MCP-Protocol-Version', opening)
      yield unmet(`initialize was answered with HTTP ${opening.status}`)
      return
    }
    yield judge('plain', true, 'initialize to succeed without MCP-Protocol-Version', opening)
    const session = headerValue(opening.headers, 'mcp-session-id')
    const version = versionOf(opening) ?? peer.revision
    const headers = { 'MCP-Protocol-Version': version, ...(session === undefined ? {} : { 'MCP-Session-Id': session }) }

    // The answer to a request of the server is posted by hand, so that its status can be seen.
    const asked: string[] = []
    peer.on('roots/list', message => {
      asked.push(JSON.stringify(success({ roots: [] })(message)))
      return 'silence'
    })
    const stream = await peer.listen({ headers })
    for (const { optional, method } of NOTIFICATIONS) {
      const accepted = await peer.http({ method: 'POST', body: notification(method), headers })
      if (optional === true && accepted.status >= 400) continue
      yield judge('notification', accepted.status === 202, `HTTP 202 for ${method}`, accepted, { subject: method })
      if (accepted.status === 202)
        yield judge('empty', accepted.body === '', 'an empty body', accepted, { kind: 'unasked', subject: method })
    }
    await peer.watch()
    if (asked[0] === undefined) yield unmet('the server sent no request that could be answered')
    else {
      const answered = await peer.http({ method: 'POST', body: asked[0], headers })
      yield judge('response', answered.status === 202, 'HTTP 202', answered)
      if (answered.status === 202)
        yield judge('empty', answered.body === '', 'an empty body', answered, {
          kind: 'unasked',
          subject: 'a response',
        })
    }
    stream.close()
  },
  defects: [
    {
      named: 'notifications get 200',
      breaks: 'notification',
      kind: 'wrong-status',
      replace: { notificationStatus: () => ({ status: 200, body: '' }) },
      also: ['response'],
    },
    {
      named: 'notifications get 200 and half a response',
      breaks: 'notification',
      kind: 'wrong-status',
      replace: { notificationStatus: () => ({ status: 200, body: '{"jsonrpc":"2.0","id":null}' }) },
      also: ['response'],
    },
    {
      named: 'notifications get 204',
      breaks: 'notification',
      kind: 'wrong-status',
      replace: { notificationStatus: () => ({ status: 204, body: '' }) },
      also: ['response'],
    },
    {
      named: 'only initialized gets 202',
      breaks: 'notification',
      kind: 'wrong-status',
      replace: {
        notificationStatus: message => ({
          status: message.method === 'notifications/roots/list_changed' ? 200 : 202,
          body: '',
        }),
      },
    },
    {
      named: 'a body for unknown notifications',
      breaks: 'empty',
      kind: 'unasked',
      replace: {
        notificationStatus: message => ({ status: 202, body: String(message.method).startsWith('x-') ? '{}' : '' }),
      },
    },
    {
      named: 'responses get 200',
      breaks: 'response',
      kind: 'wrong-status',
      replace: { notificationStatus: message => ({ status: message.method === undefined ? 200 : 202, body: '' }) },
    },
    {
      named: 'a body null',
      breaks: 'empty',
      kind: 'unasked',
      replace: { notificationStatus: () => ({ status: 202, body: 'null' }) },
    },
    {
      named: 'the version header is demanded everywhere',
      breaks: 'plain',
      kind: 'wrong-status',
      tamper: versionDemanded(),
    },
    {
      named: 'POST is not allowed',
      breaks: 'posts',
      kind: 'wrong-status',
      also: ['plain'],
      tamper: out =>
        out.layer === 'http' && out.request.method === 'POST'
          ? [{ ...out, status: 405, headers: {}, body: '' }]
          : [out],
    },
  ],
  variants: [
    { named: 'no GET stream', replace: { get: () => ({ status: 405, reason: 'no stream' }) } },
    { named: 'answers in JSON', replace: { answerBy: () => 'json' } },
    {
      named: 'unknown notifications are refused',
      replace: {
        notificationStatus: message => ({ status: String(message.method).startsWith('x-') ? 400 : 202, body: '' }),
      },
    },
  ],
})

function versionOf(opening: HttpReply): string | undefined {
  const text = opening.json ?? opening.events.map(event => event.data).find(data => data !== undefined && data !== '')
  return textAt(typeof text === 'string' ? JSON.parse(text) : text, 'result', 'protocolVersion')
}

function versionDemanded(): Tamper {
  return out =>
    out.layer === 'http' && out.request.headers['mcp-protocol-version'] === undefined
      ? [{ ...out, status: 400, headers: { 'Content-Type': 'text/plain' }, body: 'MCP-Protocol-Version is missing' }]
      : [out]
}
