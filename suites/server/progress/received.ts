import {
  at,
  failure,
  fateOf,
  isResponse,
  type Json,
  type JsonObject,
  judge,
  type Probe,
  type ServerPeer,
  serverScenario,
  shapeOf,
  stuckBy,
  unmet,
} from '../../../src/suite/server.ts'

const UNKNOWN = 'x-conformance-no-such-token'
/** So many in a row are many, but no flood: a busy client sends as many in half a second. */
const MANY = 110

export default serverScenario({
  title: 'A server takes progress in fractions, often, and with a token that it does not know',
  hello: { capabilities: { roots: { listChanged: true } } },
  claims: {
    unknown: 'progress.impl.track-tokens',
    fractions: 'progress.value.may-be-float',
    often: 'progress.notify.any-frequency',
  },
  async *run(peer) {
    const stream = peer.via === 'http' ? await peer.listen() : undefined
    const asked = await ownRequest(peer)
    // A server without a request of its own that carries a token reads the same messages, and then ignores them.
    const token = asked?.token ?? UNKNOWN
    const control = await told(peer, token, [{ progress: 1, total: 4 }])
    const ignored = asked === undefined ? control : await told(peer, UNKNOWN, [{ progress: 1, total: 4 }])
    const got = await fateOf(peer, ignored)
    yield judge('unknown', isCalm(ignored), 'no reaction to progress with an unknown token', got)
    if (!control.alive || !ignored.alive) {
      yield unmet('the server does not survive an ordinary progress notification')
      return
    }
    const fractions = await told(peer, token, [{ progress: 2.25, total: 4.5 }, { progress: 2.5 }])
    const expected = 'an answer to ping after progress in fractions'
    yield judge('fractions', fractions.alive, expected, await fateOf(peer, fractions))
    if (!fractions.alive) return
    const many = Array.from({ length: MANY }, (_, step) => ({ progress: 3 + step, total: 3 + MANY }))
    const often = await told(peer, token, many)
    yield judge('often', often.alive, `an answer to ping after ${MANY} notifications`, await fateOf(peer, often))
    asked?.answer()
    stream?.close()
  },
  defects: [
    {
      named: 'complains about an unknown token',
      breaks: 'unknown',
      kind: 'unasked',
      via: 'stdio',
      replace: {
        onNotification: ({ method }) =>
          method === 'notifications/progress'
            ? failure(undefined, -32603, 'Received progress for an unknown token')
            : undefined,
      },
    },
    {
      named: 'an unknown token is the end',
      breaks: 'unknown',
      kind: 'stuck',
      replace: () => ({ ...withTokens(), ...stuckBy(text => text.includes(UNKNOWN))() }),
    },
    {
      named: 'cannot read fractions',
      breaks: 'fractions',
      kind: 'stuck',
      replace: stuckBy(text => text.includes('"progress":2.25')),
    },
    {
      named: 'cannot read fractions about its own request',
      breaks: 'fractions',
      kind: 'stuck',
      replace: () => ({ ...withTokens(), ...stuckBy(text => text.includes('"progress":2.25'))() }),
    },
    {
      named: 'is stuck at the hundredth notification',
      breaks: 'often',
      kind: 'stuck',
      replace: stuckBy(text => text.includes('"progress":103')),
    },
  ],
  variants: [
    { named: 'gives a token', shows: ['unknown', 'fractions', 'often'], replace: withTokens() },
    { named: 'asks for nothing', shows: ['unknown', 'fractions', 'often'], replace: { greets: () => [] } },
  ],
})

/** Makes the server ask for the roots, and leaves that open where the server gave a token to report with. */
async function ownRequest(peer: ServerPeer): Promise<{ token: Json; answer(): void } | undefined> {
  const asked = new Promise<{ token: Json; answer(): void } | undefined>(resolve => {
    peer.on('roots/list', message => {
      const token = at(message, 'params', '_meta', 'progressToken')
      const result = { result: { roots: [] } }
      if (token === undefined) {
        resolve(undefined)
        return result
      }
      return new Promise(answer => resolve({ token, answer: () => answer(result) }))
    })
  })
  await peer.notify('notifications/roots/list_changed')
  return Promise.race([asked, peer.watch().then(() => undefined)])
}

/** Sends one progress notification after the other; everything that came back, up to the answer to a ping. */
async function told(peer: ServerPeer, progressToken: Json, values: JsonObject[]): Promise<Probe> {
  const { mark } = peer
  for (const value of values) await peer.notify('notifications/progress', { progressToken, ...value })
  const barrier = await peer.settle()
  const own = new Set(barrier.frames.map(({ seq }) => seq))
  return { ...barrier, messages: peer.heard(mark).filter(({ seq }) => !own.has(seq)) }
}

const isCalm = ({ alive, messages }: Probe): boolean => alive && !messages.some(({ json }) => isResponse(shapeOf(json)))

function withTokens() {
  return {
    greets: (when: 'answered' | 'initialized' | 'roots changed') =>
      when === 'roots changed' ? [{ method: 'roots/list', params: { _meta: { progressToken: 'ours' } } }] : [],
  }
}
