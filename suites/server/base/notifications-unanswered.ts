import { isResponse, judge, type Probe, serverScenario, shapeOf, unmet } from '../../../src/suite/server.ts'

const NOTIFICATIONS = [
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
    for (const notification of NOTIFICATIONS) {
      const probe = await peer.raw(JSON.stringify({ jsonrpc: '2.0', ...notification }))
      yield judge('silent', answersIn(probe).length === 0, `no response to ${notification.method}`, probe)
      yield judge('ignored', probe.alive, 'the next ping answered', probe)
      if (!probe.alive) return
    }
  },
  defects: [
    {
      named: 'answers with a result',
      breaks: 'silent',
      replace: { onNotification: () => ({ jsonrpc: '2.0', id: 0, result: {} }) },
    },
    {
      named: 'answers with method not found and the id null',
      breaks: 'silent',
      via: 'stdio',
      replace: { onNotification: () => ({ jsonrpc: '2.0', id: null, error: { code: -32601, message: 'no' } }) },
    },
    {
      named: 'answers with an error that has no id',
      breaks: 'silent',
      via: 'stdio',
      replace: { onNotification: () => ({ jsonrpc: '2.0', error: { code: -32601, message: 'no' } }) },
    },
    {
      named: 'does not know notifications/initialized',
      breaks: 'silent',
      via: 'stdio',
      replace: {
        onNotification: message =>
          message.method === 'notifications/initialized'
            ? { jsonrpc: '2.0', id: null, error: { code: -32601, message: 'no' } }
            : undefined,
      },
    },
    { named: 'stops answering', breaks: 'ignored', replace: stopsAfterUnknown },
  ],
  variants: [
    {
      named: 'refuses unknown notifications with 400 and an error without id',
      via: 'http',
      replace: {
        onNotification: message =>
          String(message.method).includes('unknown')
            ? { jsonrpc: '2.0', error: { code: -32601, message: 'no' } }
            : undefined,
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
