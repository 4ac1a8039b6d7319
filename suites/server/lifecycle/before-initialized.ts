import { at, judge, serverScenario, shapeOf, unmet } from '../../../src/suite/server.ts'

export default serverScenario({
  title: 'Before notifications/initialized the server sends no request but ping, and answers ping',
  session: 'no-handshake',
  claims: {
    waits: 'lifecycle.init.server-only-ping-and-logging-before-initialized',
    ping: 'ping.before-initialized.answered',
  },
  async *run(peer) {
    for (const method of ['roots/list', 'sampling/createMessage', 'elicitation/create']) {
      peer.on(method, () =>
        method === 'roots/list' ? { result: { roots: [] } } : { error: { code: -1, message: 'User rejected' } },
      )
    }
    const mark = peer.mark
    const capabilities = { roots: { listChanged: true }, sampling: {}, elicitation: {} }
    const reply = await peer.request(
      'initialize',
      { ...peer.hello.params, capabilities },
      { withinMs: peer.timeouts.handshakeMs },
    )
    if (reply.kind !== 'result') {
      yield unmet('initialize was not answered with a result')
      return
    }
    peer.adopt(reply)
    if (peer.via === 'stdio') {
      const ping = await peer.request('ping')
      yield judge('ping', ping.kind === 'result', 'an answer to ping before initialized', ping)
    }
    const stream = peer.via === 'http' ? await peer.listen() : undefined
    await peer.watch()
    const early = peer
      .heard(mark)
      .filter(frame => shapeOf(frame.json) === 'request' && at(frame.json, 'method') !== 'ping')
    yield judge('waits', early.length === 0, 'no request but ping before notifications/initialized', early, 'unasked')
    await peer.notify('notifications/initialized')
    // What the server asks now is right; it is heard for the monitors.
    await peer.watch()
    stream?.close()
  },
  defects: [
    {
      named: 'asks for the roots too early',
      breaks: 'waits',
      kind: 'unasked',
      replace: { greets: when => (when === 'answered' ? [{ method: 'roots/list' }] : []) },
    },
    {
      named: 'no ping before initialized',
      breaks: 'ping',
      kind: 'silent',
      via: 'stdio',
      replace: { drops: message => message.method === 'ping' },
    },
  ],
  variants: [
    { named: 'pings at once', replace: { greets: when => (when === 'answered' ? [{ method: 'ping' }] : []) } },
    {
      named: 'logs at once',
      replace: {
        greets: when =>
          when === 'answered' ? [{ method: 'notifications/message', params: { level: 'info', data: 'hello' } }] : [],
      },
    },
  ],
})
