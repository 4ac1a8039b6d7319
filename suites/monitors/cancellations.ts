import {
  at,
  type Frame,
  headerValue,
  idKey,
  isRequestId,
  isResponse,
  type JsonObject,
  judge,
  type MonitorContext,
  mediaType,
  monitor,
  notification,
  ourMessages,
  shapeOf,
  tampers,
  theirMessages,
} from '../../src/suite/monitor.ts'

/** A request of the side that is watched: of the target. */
interface Asked {
  /** when our response had reached the target; undefined before that, and where that cannot be known */
  delivered: { at: number; seq: number } | undefined
}

interface State {
  role: 'server' | 'client'
  asked: Map<string, Asked>
  /** exchanges that we answer with JSON, so that a response in them arrives at once */
  direct: Set<number>
  /** exchanges that carry a response of ours to a server, until they are answered */
  posting: Map<number, Asked>
  /** our own requests, with the frame that carried each */
  ours: Map<string, number>
  /** the latest request of ours that was answered: what had been delivered before it has been read */
  barrier: number
}

/** A cancellation that comes later than this behind our response is no race any more. */
const LATE_MS = 1_000
const MUCH_LATER_MS = 5_000

/** The target's own `notifications/cancelled` (basic/utilities/cancellation#behavior-requirements). */
export default monitor({
  title: 'Each side cancels only its own requests, and only while they run',
  frames: 'all',
  sides: ['server', 'client'],
  claims: {
    id: 'cancellation.send.request-id',
    own: 'cancellation.send.same-direction',
    running: 'cancellation.send.believed-in-progress',
    reason: 'cancellation.send.reason-optional',
  },
  start: ({ role }: MonitorContext): State => ({
    role,
    asked: new Map(),
    direct: new Set(),
    posting: new Map(),
    ours: new Map(),
    barrier: 0,
  }),
  *see(state, frame) {
    follow(state, frame)
    for (const message of theirMessages(frame)) {
      const shape = shapeOf(message)
      if (shape === 'request') state.asked.set(idKey(at(message, 'id')), { delivered: undefined })
      if (isResponse(shape)) state.barrier = Math.max(state.barrier, state.ours.get(idKey(at(message, 'id'))) ?? 0)
      if (at(message, 'method') !== 'notifications/cancelled') continue
      const id = at(message, 'params', 'requestId')
      const reason = at(message, 'params', 'reason')
      yield judge(
        'reason',
        reason === undefined || typeof reason === 'string',
        'no reason, or a text',
        frame,
        'wrong-type',
      )
      const absence = id === undefined ? 'missing' : 'wrong-type'
      yield judge('id', isRequestId(id), 'a requestId that is a string or an integer', frame, absence)
      if (!isRequestId(id)) continue
      const asked = state.asked.get(idKey(id))
      yield judge('own', asked !== undefined, 'the id of a request of its own, type and value', frame)
      if (asked !== undefined)
        yield judge('running', running(state, asked, frame), 'a request that still runs', frame, 'late')
    }
  },
  defects: [
    {
      named: 'a client that names no requestId',
      breaks: 'id',
      kind: 'missing',
      ...cancellingClient({ reason: 'no answer' }),
    },
    {
      named: 'a client with null as requestId',
      breaks: 'id',
      kind: 'wrong-type',
      ...cancellingClient({ requestId: null }),
    },
    {
      named: 'a client with an object as reason',
      breaks: 'reason',
      kind: 'wrong-type',
      ...cancellingClient({ requestId: 1, reason: {} }),
    },
    {
      named: 'a client that cancels what it never asked',
      breaks: 'own',
      kind: 'wrong-value',
      ...cancellingClient({ requestId: 99 }),
    },
    {
      named: 'a client that makes a text of the id',
      breaks: 'own',
      kind: 'wrong-value',
      ...cancellingClient({ requestId: '1' }),
    },
    {
      named: 'a client that cancels what was answered long ago',
      on: 'client/schema/list-changes',
      via: 'stdio',
      breaks: 'running',
      kind: 'late',
      verdict: 'warn',
      replace: { greets: (when: string) => (when === 'closing' ? [cancelled({ requestId: 2 })] : []) },
    },
    { named: 'no requestId', breaks: 'id', kind: 'missing', ...cancelling({ reason: 'no answer' }) },
    { named: 'null as requestId', breaks: 'id', kind: 'wrong-type', ...cancelling({ requestId: null }) },
    { named: 'a fraction as requestId', breaks: 'id', kind: 'wrong-type', ...cancelling({ requestId: 1.5 }) },
    {
      named: 'the reason is an object',
      breaks: 'reason',
      kind: 'wrong-type',
      ...cancelling({ requestId: 'server-1', reason: {} }),
    },
    {
      named: 'cancels what it never asked',
      breaks: 'own',
      kind: 'wrong-value',
      ...cancelling({ requestId: 'server-99' }),
    },
    { named: 'cancels our own request', breaks: 'own', kind: 'wrong-value', ...cancelling({ requestId: 1 }) },
    {
      named: 'cancels each request that was answered',
      on: 'server/roots/changes',
      breaks: 'running',
      kind: 'late',
      verdict: 'warn',
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
      named: 'a client that gives up what is not answered',
      on: 'client/ping/answers',
      shows: ['id', 'own', 'running', 'reason'],
      tamper: tampers.message(message =>
        message.method === 'tools/list'
          ? [message, notification('notifications/cancelled', { requestId: message.id ?? null, reason: 'a test' })]
          : message,
      ),
    },
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
        onAskTimeout: ({ id = null }) => [notification('notifications/cancelled', { requestId: id })],
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
  if (frame.kind === 'http' && frame.from === 'us' && frame.exchange !== undefined) {
    const isDirect = mediaType(headerValue(frame.headers, 'content-type')) === 'application/json'
    if (isDirect) state.direct.add(frame.exchange)
  }
  for (const message of ourMessages(frame)) {
    const key = idKey(at(message, 'id'))
    if (shapeOf(message) === 'request') state.ours.set(key, frame.seq)
    const asked = isResponse(shapeOf(message)) ? state.asked.get(key) : undefined
    if (asked === undefined) continue
    if (frame.exchange === undefined) asked.delivered ??= { at: frame.at, seq: frame.seq }
    else if (state.role === 'server') state.posting.set(frame.exchange, asked)
    // In an event stream a response may wait for a client that has to come back for it.
    else if (state.direct.has(frame.exchange)) asked.delivered ??= { at: frame.at, seq: frame.seq }
  }
}

/**
 * Belief is internal, and a response may cross a cancellation. But a side that has answered a request which we sent
 * behind our response has read that response, where both come on one channel; those of a client over HTTP do not.
 */
function running(state: State, { delivered }: Asked, frame: Frame): 'holds' | 'bends' | 'breaks' {
  if (delivered === undefined) return 'holds'
  const late = frame.at - delivered.at
  if (late > MUCH_LATER_MS) return 'breaks'
  const isOrdered = state.role === 'server' || frame.exchange === undefined
  return late > LATE_MS || (isOrdered && state.barrier > delivered.seq) ? 'bends' : 'holds'
}

/** A client whose first request has the id 1. */
function cancellingClient(params: JsonObject) {
  return {
    on: 'client/ping/answers',
    replace: { greets: (when: string) => (when === 'initialized' ? [cancelled(params)] : []) },
  }
}

const cancelled = (params: JsonObject) => ({ method: 'notifications/cancelled', params, isNotification: true as const })

function cancelling(params: JsonObject) {
  return {
    on: 'server/lifecycle/before-initialized',
    replace: {
      greets: (when: 'answered' | 'initialized' | 'roots changed') =>
        when === 'initialized' ? [{ method: 'roots/list' }, { method: 'notifications/cancelled', params }] : [],
    },
  }
}
