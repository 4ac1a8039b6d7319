import { at, idKey, type JsonObject, judge, monitor, shapeOf, tampers, theirMessages } from '../../src/suite/monitor.ts'

interface State {
  /** the last value, by token and stream; what comes on different streams has no order */
  last: Map<string, number>
  /** event ids: a replay repeats what was said before */
  events: Set<string>
}

/** The members of every `notifications/progress`, and how they go on. */
export default monitor({
  title: 'Progress is a number that grows, with a total and a message of the right kind',
  claims: {
    number: 'progress.notify.progress-number',
    total: 'progress.notify.total-optional',
    message: 'progress.notify.message-optional',
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
      const { progress, total, message, progressToken } = (at(notification, 'params') ?? {}) as JsonObject
      yield judge('number', Number.isFinite(progress), 'a progress that is a finite number', frame)
      yield judge('total', total === undefined || Number.isFinite(total), 'no total, or a number', frame)
      yield judge('message', message === undefined || typeof message === 'string', 'no message, or a text', frame)
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
    { named: 'progress as text', breaks: 'number', ...rewriting(params => ({ ...params, progress: '50%' })) },
    {
      named: 'percent instead of progress',
      breaks: 'number',
      ...rewriting(({ progress, ...params }) => ({ ...params, percent: progress })),
    },
    { named: 'the total is null', breaks: 'total', ...rewriting(params => ({ ...params, total: null })) },
    { named: 'the message is an object', breaks: 'message', ...rewriting(params => ({ ...params, message: {} })) },
    { named: 'the message is blank', breaks: 'readable', ...rewriting(params => ({ ...params, message: ' ' })) },
    {
      named: 'progress goes back',
      breaks: 'increases',
      ...rewriting(params => ({ ...params, progress: 100 - Number(params.progress) })),
    },
    { named: 'progress stands still', breaks: 'increases', ...rewriting(params => ({ ...params, progress: 1 })) },
  ],
  variants: [
    {
      named: 'fractions, a total that is passed, and a message',
      shows: ['number', 'total', 'message', 'readable', 'increases'],
      ...rewriting(params => ({
        ...params,
        progress: Number(params.progress) / 30,
        total: 1.5,
        message: 'Reading files',
      })),
    },
    {
      named: 'below zero, without a total',
      shows: ['number', 'increases'],
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
