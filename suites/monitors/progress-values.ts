import {
  at,
  idKey,
  isObject,
  type JsonObject,
  judge,
  monitor,
  shapeOf,
  tampers,
  theirMessages,
} from '../../src/suite/monitor.ts'

interface State {
  /** the last value, by token and stream; what comes on different streams has no order */
  last: Map<string, number>
  /** event ids: a replay repeats what was said before */
  events: Set<string>
}

/** What every `notifications/progress` says, and how it goes on. Types are a matter of monitors/schema. */
export default monitor({
  title: 'Progress grows, and its message says something',
  claims: {
    readable: 'progress.message.human-readable',
    increases: 'progress.value.increases',
  },
  start: (): State => ({ last: new Map(), events: new Set() }),
  *see(state, frame) {
    if (frame.kind === 'message' && frame.from === 'us') forgetReused(state, frame.json)
    if (frame.kind === 'message' && frame.eventId !== undefined) {
      if (state.events.has(frame.eventId)) return
      state.events.add(frame.eventId)
    }
    for (const notification of theirMessages(frame)) {
      if (at(notification, 'method') !== 'notifications/progress') continue
      const params = at(notification, 'params')
      const { progress, message, progressToken }: JsonObject = isObject(params) ? params : {}
      if (typeof message === 'string')
        yield judge('readable', message.trim() !== '', 'a message that says something', frame)
      if (typeof progress !== 'number') continue
      const place = `${idKey(progressToken)} ${frame.exchange ?? ''}`
      const before = state.last.get(place)
      state.last.set(place, progress)
      const expected = before === undefined ? 'any first value' : `more than ${before}, the value before`
      yield judge('increases', before === undefined || progress > before, expected, frame)
    }
  },
  defects: [
    {
      named: 'the message is blank',
      breaks: 'readable',
      kind: 'wrong-value',
      ...rewriting(params => ({ ...params, message: ' ' })),
    },
    {
      named: 'progress goes back',
      breaks: 'increases',
      kind: 'wrong-value',
      ...rewriting(params => ({ ...params, progress: 100 - Number(params.progress) })),
    },
    {
      named: 'progress stands still',
      breaks: 'increases',
      kind: 'wrong-value',
      ...rewriting(params => ({ ...params, progress: 1 })),
    },
  ],
  variants: [
    {
      named: 'fractions, a total that is passed, and a message',
      shows: ['readable', 'increases'],
      ...rewriting(params => ({
        ...params,
        progress: Number(params.progress) / 30,
        total: 1.5,
        message: 'Reading files',
      })),
    },
    {
      named: 'below zero, without a total',
      shows: ['increases'],
      ...rewriting(({ progressToken, progress }) => ({ progressToken, progress: Number(progress) - 100 })),
    },
  ],
})

/** A token may be used again for another request; its values start anew. */
function forgetReused(state: State, json: unknown): void {
  for (const message of Array.isArray(json) ? json : [json]) {
    const token = at(message, 'params', '_meta', 'progressToken')
    if (token === undefined || shapeOf(message) !== 'request') continue
    for (const place of [...state.last.keys()]) if (place.startsWith(`${idKey(token)} `)) state.last.delete(place)
  }
}

function rewriting(rewrite: (params: JsonObject) => JsonObject) {
  return {
    on: 'server/progress/reports',
    tamper: tampers.message(message =>
      message.method === 'notifications/progress'
        ? { ...message, params: rewrite(message.params as JsonObject) }
        : message,
    ),
  }
}
