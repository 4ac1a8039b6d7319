import {
  failure,
  isResponse,
  type JsonObject,
  judge,
  notification,
  type Probe,
  response,
  serverScenario,
  shapeOf,
  unmet,
} from '../../../src/suite/server.ts'

const NOTIFICATIONS: { method: string; params?: JsonObject }[] = [
  { method: 'notifications/initialized' },
  { method: 'notifications/x-conformance-unknown' },
  { method: 'notifications/cancelled', params: { requestId: 'x-conformance-nothing', reason: 'a test' } },
]

export default serverScenario({
  title: 'A notification is never answered, and an unknown one breaks nothing',
  session: 'no-handshake',
  claims: {
    silent: 'base.notification.no-response',
    ignored: 'base.notification.unknown-ignored',
  },
  async *run(peer) {
    const opening = await peer.request('initialize', peer.hello.params, { withinMs: peer.timeouts.handshakeMs })
    if (opening.kind !== 'result') {
      yield unmet('initialize was not answered with a result')
      return
    }
    peer.adopt(opening)
    for (const { method, params } of NOTIFICATIONS) {
      const probe = await peer.raw(JSON.stringify(notification(method, params)))
      yield judge('silent', answersIn(probe).length === 0, `no response to ${method}`, probe, { subject: method })
      yield judge('ignored', probe.alive, 'the next ping answered', probe, { subject: method })
      if (!probe.alive) return
    }
  },
  defects: [
    {
      named: 'answers with a result',
      breaks: 'silent',
      kind: 'unasked',
      replace: { onNotification: () => response(0, {}) },
    },
    {
      named: 'answers with method not found and the id null',
      breaks: 'silent',
      kind: 'unasked',
      via: 'stdio',
      replace: { onNotification: () => failure(null, -32601, 'no') },
    },
    {
      named: 'answers with an error that has no id',
      breaks: 'silent',
      kind: 'unasked',
      via: 'stdio',
      replace: { onNotification: () => failure(undefined, -32601, 'no') },
    },
    {
      named: 'does not know notifications/initialized',
      breaks: 'silent',
      kind: 'unasked',
      via: 'stdio',
      replace: {
        onNotification: message =>
          message.method === 'notifications/initialized' ? failure(null, -32601, 'no') : undefined,
      },
    },
    { named: 'stops answering', breaks: 'ignored', kind: 'stuck', replace: stopsAfterUnknown },
  ],
  variants: [
    {
      named: 'refuses unknown notifications with 400 and an error without id',
      via: 'http',
      replace: {
        onNotification: message =>
          String(message.method).includes('unknown') ? failure(undefined, -32601, 'no') : undefined,
      },
    },
  ],
})

/** Over HTTP a 4xx may carry an error without id: that is a refusal, no response. */
function answersIn(probe: Probe): unknown[] {
  const refused = (probe.http?.status ?? 0) >= 400
  return probe.messages.filter(
    ({ json }) =>
      isResponse(shapeOf(json)) &&
      !(refused && shapeOf(json) === 'error' && (json as { id?: unknown }).id === undefined),
  )
}

function stopsAfterUnknown() {
  let stopped = false
  return {
    onNotification: (message: { method?: unknown }) => {
      if (String(message.method).includes('unknown')) stopped = true
      return undefined
    },
    drops: () => stopped,
  }
}
