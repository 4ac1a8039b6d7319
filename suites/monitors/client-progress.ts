import {
  at,
  type Frame,
  idKey,
  isObject,
  isResponse,
  type JsonObject,
  judge,
  monitor,
  notification,
  shapeOf,
  tampers,
  theirMessages,
  type Via,
} from '../../src/suite/monitor.ts'
import { LAST_ID } from '../client/progress/_sampling-progress.ts'

interface Use {
  request: string
  /** its work goes on behind the response */
  isTask: boolean
  answered: Frame | undefined
  last: { value: number; at: number } | undefined
}

interface State {
  via: Via
  uses: Map<string, Use>
}

/** Over HTTP each message has a POST of its own: as long as two of them may change places their order proves nothing. */
const RACE_MS = 200
const LATE_MS = 1_000
const ON = 'client/progress/reports'

const progress = (progressToken: string): JsonObject =>
  notification('notifications/progress', { progressToken, progress: 101, total: 101 })
/** The last ping comes when the questions have been answered for a while. */
const BEHIND = {
  on: ON,
  tamper: tampers.message((message, cause) => (cause?.id === LAST_ID ? [progress('abc'), message] : message)),
}

/** What the client tells of its work on our requests (basic/utilities/progress). Types are a matter of monitors/schema. */
export default monitor({
  title: 'The client tells progress that grows, with a token that we gave, as long as the request runs',
  sides: ['client'],
  claims: {
    known: 'progress.notify.only-known-token',
    readable: 'progress.message.human-readable',
    increases: 'progress.value.increases',
    active: 'progress.notify.only-in-progress',
    stops: 'progress.notify.stop-after-completion',
  },
  start: ({ via }): State => ({ via, uses: new Map() }),
  *see(state, frame) {
    if (frame.kind === 'message' && frame.from === 'us') remember(state, frame.json)
    for (const notice of theirMessages(frame)) {
      const id = isResponse(shapeOf(notice)) ? idKey(at(notice, 'id')) : undefined
      for (const use of state.uses.values()) if (use.request === id) use.answered ??= frame
      if (at(notice, 'method') !== 'notifications/progress') continue
      const params = at(notice, 'params')
      const { progress, message, progressToken }: JsonObject = isObject(params) ? params : {}
      const use = state.uses.get(idKey(progressToken))
      const token = progressToken === undefined ? 'missing' : 'wrong-value'
      yield judge('known', use !== undefined, 'the token of a request of ours, type and value', frame, token)
      if (typeof message === 'string')
        yield judge('readable', message.trim() !== '', 'a message that says something', frame)
      if (use === undefined) continue
      if (!use.isTask) {
        const outcome = timing(state, use.answered, frame)
        yield judge('active', outcome, 'no progress behind the response', frame, 'late')
        yield judge('stops', outcome, 'no progress behind the response', frame, 'late')
      }
      if (typeof progress !== 'number') continue
      const { last } = use
      use.last = { value: progress, at: frame.at }
      if (last === undefined) {
        yield judge('increases', true, 'any first value', frame)
        continue
      }
      const mayHavePassed = state.via === 'http' && frame.at - last.at < RACE_MS
      const grows = progress > last.value
      if (grows || !mayHavePassed) yield judge('increases', grows, `more than ${last.value}, the value before`, frame)
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
    {
      named: 'a token of its own',
      breaks: 'known',
      kind: 'wrong-value',
      ...rewriting(params => ({ ...params, progressToken: 'sampling-1' })),
    },
    {
      named: 'tells progress where no token was given',
      breaks: 'known',
      kind: 'wrong-value',
      on: 'client/ping/answers',
      tamper: tampers.answer('ping', message => [progress('ping'), message]),
    },
    ...(['active', 'stops'] as const).flatMap(breaks => {
      const also = breaks === 'active' ? (['stops'] as const) : (['active'] as const)
      const late = { breaks, kind: 'late' as const, also: [...also], ...BEHIND }
      const named = breaks === 'active' ? 'reports once more behind the response' : 'ends later than its request'
      // Each POST is a way of its own: what comes soon behind the response may have been sent before it.
      return [
        { named, via: 'stdio' as const, ...late },
        { named, via: 'http' as const, verdict: 'warn' as const, ...late },
      ]
    }),
  ],
  variants: [
    {
      named: 'fractions, a total that is passed',
      shows: ['known', 'readable', 'increases', 'active', 'stops'],
      ...rewriting(params => ({ ...params, progress: Number(params.progress) / 4, total: 0.5 })),
    },
    {
      named: 'below zero, without a total and a message',
      shows: ['increases'],
      ...rewriting(({ progressToken = null, progress }) => ({ progressToken, progress: Number(progress) - 100 })),
    },
  ],
})

function timing({ via }: State, answered: Frame | undefined, frame: Frame): 'holds' | 'bends' | 'breaks' {
  if (answered === undefined) return 'holds'
  const late = frame.at - answered.at
  if (via === 'stdio' || late > LATE_MS) return 'breaks'
  return late > RACE_MS ? 'bends' : 'holds'
}

/** A token may be used again for another request; its values start anew. */
function remember(state: State, json: unknown): void {
  for (const message of Array.isArray(json) ? json : [json]) {
    const token = at(message, 'params', '_meta', 'progressToken')
    if (token === undefined || shapeOf(message) !== 'request') continue
    const isTask = isObject(at(message, 'params', 'task'))
    state.uses.set(idKey(token), { request: idKey(at(message, 'id')), isTask, answered: undefined, last: undefined })
  }
}

function rewriting(rewrite: (params: JsonObject) => JsonObject) {
  return {
    on: ON,
    tamper: tampers.message(message =>
      message.method === 'notifications/progress' && isObject(message.params)
        ? { ...message, params: rewrite(message.params) }
        : message,
    ),
  }
}
