import {
  at,
  failure,
  fateOf,
  idKey,
  isResponse,
  judge,
  type MessageFrame,
  type Pending,
  refusal,
  serverScenario,
  shapeOf,
  stuckBy,
  unmet,
} from '../../../src/suite/server.ts'

/** Often enough that cancellation and completion meet in both orders. */
const ROUNDS = 20

export default serverScenario({
  title: 'A cancellation that crosses the answer to its request does no harm',
  session: 'own',
  claims: { graceful: 'cancellation.race.graceful' },
  async *run(peer) {
    const control = await peer.settle()
    if (!control.alive) {
      yield unmet('a ping gets no answer')
      return
    }
    const { mark } = peer
    const pings: Pending[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      const ping = peer.request('ping', undefined, { withinMs: peer.timeouts.watchMs })
      pings.push(ping)
      await ping.cancel(round % 2 === 0 ? 'a test' : undefined)
    }
    // A ping may be answered or not; what is not answered is given up together.
    const replies = await Promise.all(pings)
    for (const reply of replies.filter(({ kind }) => kind === 'none').slice(0, 1))
      if (reply.kind === 'none' && reply.why === 'closed') yield judge('graceful', false, 'an open connection', reply)
    const after = await peer.settle()
    yield judge('graceful', after.alive, 'an answer to the next ping', await fateOf(peer, after))
    const odd = peer.heard(mark).filter(frame => isComplaint(frame, pings))
    yield judge('graceful', odd.length === 0, 'no error beside the answers to the pings', odd, 'unasked')
  },
  defects: [
    { named: 'crashes at a cancellation', breaks: 'graceful', kind: 'died', program: 'crashes-when-cancelled' },
    {
      named: 'is stuck at a cancellation',
      breaks: 'graceful',
      kind: 'stuck',
      replace: stuckBy(text => text.includes('notifications/cancelled')),
    },
    {
      named: 'is stuck when the tenth cancellation comes',
      breaks: 'graceful',
      kind: 'stuck',
      replace: () => {
        let cancellations = 0
        return stuckBy(text => {
          if (text.includes('notifications/cancelled')) cancellations += 1
          return cancellations === 10
        })()
      },
    },
    {
      named: 'reports each cancellation that comes too late',
      breaks: 'graceful',
      kind: 'unasked',
      replace: {
        onNotification: ({ method }) =>
          method === 'notifications/cancelled' ? failure(undefined, -32600, 'nothing to cancel') : undefined,
      },
    },
  ],
  variants: [
    {
      named: 'answers no cancelled ping',
      shows: ['graceful'],
      replace: { delay: ({ method, id }) => (method === 'ping' && Number(id) % 3 === 0 ? 20 : 0) },
    },
    {
      named: 'answers a cancelled ping with an error of its id',
      shows: ['graceful'],
      replace: {
        delay: ({ method, id }) => (method === 'ping' && Number(id) % 3 === 0 ? 20 : 0),
        onCancelled: refusal(-32800, 'Request cancelled'),
      },
    },
  ],
})

/** An error that is no answer to one of the pings. */
function isComplaint({ json }: MessageFrame, pings: readonly Pending[]): boolean {
  if (!isResponse(shapeOf(json)) || at(json, 'error') === undefined) return false
  return !pings.some(({ id }) => idKey(id) === idKey(at(json, 'id')))
}
