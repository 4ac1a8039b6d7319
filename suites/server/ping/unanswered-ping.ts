import {
  at,
  idKey,
  judge,
  notification,
  request,
  type ServerPeer,
  type Stream,
  serverScenario,
  shapeOf,
  unmet,
} from '../../../src/suite/server.ts'

/** A server that pings after the handshake and gives up soon. */
const pinging = {
  greets: (when: 'answered' | 'initialized') => (when === 'initialized' ? [{ method: 'ping' }] : []),
  askTimeoutMs: 20,
}

export default serverScenario({
  title: 'A server that pings has patience with a slow answer, and survives when there is none',
  session: 'fresh',
  hello: { capabilities: { roots: {} } },
  claims: {
    patient: 'ping.timeout.appropriate',
    survives: 'ping.timeout.may-terminate',
    concludes: 'ping.timeout.is-failure',
  },
  async *run(peer) {
    const held: (() => void)[] = []
    peer.on('ping', () => new Promise(resolve => held.push(() => resolve({ result: {} }))))
    const stream = peer.via === 'http' ? await peer.listen() : undefined
    await peer.watch()
    if (held.length === 0) {
      yield unmet(`the server sent no ping within ${peer.timeouts.watchMs} ms`)
      return
    }
    await peer.watch()
    for (const answer of held) answer()
    peer.on('ping', () => ({ result: {} }))
    const late = await peer.settle()
    yield judge(
      'patient',
      late.alive,
      `a connection that outlives an answer after ${2 * peer.timeouts.watchMs} ms`,
      late,
    )
    stream?.close()

    // The same once more, without any answer.
    const silent = await peer.another(peer.hello.params)
    silent.on('ping', () => 'silence')
    const listening = silent.via === 'http' ? await silent.listen() : undefined
    await silent.watch()
    await silent.watch()
    if (!silent.heard().some(({ json }) => at(json, 'method') === 'ping')) {
      yield unmet('the server sent no ping in a second session')
      return
    }
    yield* conclusion(silent, listening)
    yield* survival(silent)
    listening?.close()
  },
  defects: [
    {
      named: 'takes a slow answer for none and goes dumb',
      breaks: 'patient',
      kind: 'stuck',
      also: ['survives'],
      replace: () => {
        let dumb = false
        return {
          ...pinging,
          onAskTimeout() {
            dumb = true
            return []
          },
          drops: ({ method }) => dumb && method === 'ping',
        }
      },
    },
    {
      named: 'crashes when a ping is not answered',
      breaks: 'survives',
      kind: 'died',
      also: ['patient'],
      program: 'crashes-on-unanswered-ping',
    },
    {
      named: 'goes dumb when a second ping is not answered',
      breaks: 'survives',
      kind: 'silent',
      verdict: 'info',
      replace: () => {
        let unanswered = 0
        return {
          ...pinging,
          onAskTimeout() {
            unanswered += 1
            return []
          },
          // The first session has one such ping, the second another.
          drops: ({ method }) => unanswered > 1 && method === 'ping',
        }
      },
    },
    {
      named: 'asks for the roots after a ping failed',
      breaks: 'concludes',
      kind: 'unasked',
      replace: {
        ...pinging,
        onAskTimeout: ({ id, method }) =>
          method === 'ping'
            ? [notification('notifications/cancelled', { requestId: id }), request(`after ${String(id)}`, 'roots/list')]
            : [],
      },
    },
  ],
  variants: [
    { named: 'pings and waits', shows: ['patient', 'survives'], replace: { greets: pinging.greets } },
    { named: 'gives up its ping soon', shows: ['patient', 'survives', 'concludes'], replace: pinging },
  ],
})

/** As long as a ping may still be answered the server may ask on; once it is given up, it may not. */
async function* conclusion(silent: ServerPeer, listening: Stream | undefined) {
  const cancelled = silent
    .heard()
    .find(({ json }) => at(json, 'method') === 'notifications/cancelled' && isPing(silent, at(json, 'params')))
  const closed = silent.process?.exit !== undefined || listening?.isOver === true
  if (cancelled === undefined && !closed) {
    yield unmet('the server did not show whether it had given up its ping')
    return
  }
  const later = silent
    .heard(cancelled?.seq)
    .filter(({ json }) => cancelled !== undefined && shapeOf(json) === 'request' && at(json, 'method') !== 'ping')
  const signs = cancelled === undefined ? [] : [cancelled]
  yield judge(
    'concludes',
    later.length === 0,
    'no ordinary request after a ping that was given up',
    [...signs, ...later],
    'unasked',
  )
}

/** The server may end the connection, the session or itself; it may not crash. */
async function* survival(silent: ServerPeer) {
  const expected = 'no crash because a ping was not answered'
  const end = await silent.process?.exited(silent.timeouts.graceMs)
  if (end?.kind === 'end') {
    // A code other than 0 may be a crash, or just how this server leaves.
    const outcome = end.signal !== undefined ? 'breaks' : end.code === 0 ? 'holds' : 'bends'
    yield judge('survives', outcome, expected, end)
    return
  }
  const ping = await silent.request('ping')
  const gone = ping.kind === 'none' && ping.why === 'closed' && silent.via === 'http'
  const dumb = ping.kind === 'none' && ping.why === 'timeout'
  yield judge('survives', gone ? 'breaks' : dumb ? 'bends' : 'holds', expected, ping)
}

const isPing = (peer: ServerPeer, params: unknown): boolean =>
  peer
    .heard()
    .some(({ json }) => at(json, 'method') === 'ping' && idKey(at(json, 'id')) === idKey(at(params, 'requestId')))
