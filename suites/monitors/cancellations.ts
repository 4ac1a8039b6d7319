import {
  at,
  type Frame,
  idKey,
  isRequestId,
  isResponse,
  type JsonObject,
  judge,
  monitor,
  ourMessages,
  shapeOf,
  theirMessages,
} from '../../src/suite.ts'

/** A request of the server. */
interface Asked {
  /** when our response had reached it; undefined before that */
  delivered: { at: number; seq: number } | undefined
}

interface State {
  asked: Map<string, Asked>
  /** exchanges that carry a response of ours to the server, until they are answered */
  posting: Map<number, Asked>
  /** our own requests, with the frame that carried each */
  ours: Map<string, number>
  /** the latest request of ours that was answered: what had been delivered before it has been read */
  barrier: number
}

/** A cancellation that comes later than this behind our response is no race any more. */
const LATE_MS = 1_000
const MUCH_LATER_MS = 5_000

/** The server's own `notifications/cancelled` (basic/utilities/cancellation#behavior-requirements). */
export default monitor({
  title: 'The server cancels only its own requests, and only while they run',
  claims: {
    id: 'cancellation.send.request-id',
    own: 'cancellation.send.same-direction',
    running: 'cancellation.send.believed-in-progress',
    reason: 'cancellation.send.reason-optional',
  },
  start: (): State => ({ asked: new Map(), posting: new Map(), ours: new Map(), barrier: 0 }),
  *see(state, frame) {
    follow(state, frame)
    for (const message of theirMessages(frame)) {
      const shape = shapeOf(message)
      if (shape === 'request') state.asked.set(idKey(at(message, 'id')), { delivered: undefined })
      if (isResponse(shape)) state.barrier = Math.max(state.barrier, state.ours.get(idKey(at(message, 'id'))) ?? 0)
      if (at(message, 'method') !== 'notifications/cancelled') continue
      const id = at(message, 'params', 'requestId')
      const reason = at(message, 'params', 'reason')
      yield judge('reason', reason === undefined || typeof reason === 'string', 'no reason, or a text', frame)
      yield judge('id', isRequestId(id), 'a requestId that is a string or an integer', frame)
      if (!isRequestId(id)) continue
      const asked = state.asked.get(idKey(id))
      yield judge('own', asked !== undefined, 'the id of a request that the server sent, type and value', frame)
      if (asked !== undefined) yield judge('running', running(state, asked, frame), 'a request that still runs', frame)
    }
  },
  defects: [
    { named: 'no requestId', breaks: 'id', ...cancelling({ reason: 'no answer' }) },
    { named: 'null as requestId', breaks: 'id', ...cancelling({ requestId: null }) },
    { named: 'a fraction as requestId', breaks: 'id', ...cancelling({ requestId: 1.5 }) },
    { named: 'the reason is an object', breaks: 'reason', ...cancelling({ requestId: 'server-1', reason: {} }) },
    { named: 'cancels what it never asked', breaks: 'own', ...cancelling({ requestId: 'server-99' }) },
    { named: 'cancels our own request', breaks: 'own', ...cancelling({ requestId: 1 }) },
    {
      named: 'cancels each request that was answered',
      on: 'server/roots/changes',
      breaks: 'running',
      replace: {
        greets: (when, { roots }) =>
          when === 'initialized'
            ? [{ method: 'roots/list' }]
            : when === 'roots changed' && roots !== undefined
              ? [{ method: 'notifications/cancelled', params: { requestId: 'server-1' } }]
              : [],
      },
    },
  ],
  variants: [
    {
      named: 'gives up what is not answered',
      on: 'server/lifecycle/unanswered-request',
      shows: ['id', 'own', 'running', 'reason'],
      replace: { askTimeoutMs: 20 },
    },
    {
      named: 'gives no reason',
      on: 'server/lifecycle/unanswered-request',
      shows: ['reason'],
      replace: {
        askTimeoutMs: 20,
        onAskTimeout: ({ id }) => [{ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } }],
      },
    },
  ],
})

/** When our responses reached the server, and which of our requests it has answered. */
function follow(state: State, frame: Frame): void {
  if (frame.kind === 'http' && frame.from === 'them' && frame.exchange !== undefined) {
    const asked = state.posting.get(frame.exchange)
    if (asked !== undefined) asked.delivered ??= { at: frame.at, seq: frame.seq }
  }
  for (const message of ourMessages(frame)) {
    const key = idKey(at(message, 'id'))
    if (shapeOf(message) === 'request') state.ours.set(key, frame.seq)
    const asked = isResponse(shapeOf(message)) ? state.asked.get(key) : undefined
    if (asked === undefined) continue
    if (frame.exchange === undefined) asked.delivered ??= { at: frame.at, seq: frame.seq }
    else state.posting.set(frame.exchange, asked)
  }
}

/**
 * Belief is internal, and a response may cross a cancellation. But a server that has answered a request which we sent
 * behind our response has read that response.
 */
function running(state: State, { delivered }: Asked, frame: Frame): 'holds' | 'bends' | 'breaks' {
  if (delivered === undefined) return 'holds'
  const late = frame.at - delivered.at
  if (late > MUCH_LATER_MS) return 'breaks'
  return late > LATE_MS || state.barrier > delivered.seq ? 'bends' : 'holds'
}

function cancelling(params: JsonObject) {
  return {
    on: 'server/lifecycle/before-initialized',
    replace: {
      greets: (when: 'answered' | 'initialized' | 'roots changed') =>
        when === 'initialized' ? [{ method: 'roots/list' }, { method: 'notifications/cancelled', params }] : [],
    },
  }
}
