import {
  at,
  idKey,
  isObject,
  type Json,
  type JsonObject,
  judge,
  monitor,
  notification,
  shapeOf,
  tampers,
  theirMessages,
} from '../../src/suite/monitor.ts'

/** More pings than this in so short a time are more than one a second, for half a minute at least. */
const MOST = 30
const SPAN_MS = 30_000

interface State {
  /** ids, so that a replayed event does not count again */
  seen: Set<string>
  /** when the pings of the last half minute came */
  times: number[]
}

/** The pings of the target itself: of either side. */
export default monitor({
  title: 'Pings have no params and are not too many',
  sides: ['server', 'client'],
  claims: {
    bare: 'ping.request.no-params',
    moderate: 'ping.periodic.not-excessive',
  },
  start: (): State => ({ seen: new Set(), times: [] }),
  *see(state, frame) {
    for (const message of theirMessages(frame)) {
      if (at(message, 'method') !== 'ping') continue
      const isRequest = shapeOf(message) === 'request'
      // The text has no params at all; the schema lets a _meta pass.
      const bare = isRequest && isBare(at(message, 'params'))
      const kind = isRequest ? 'unasked' : 'missing'
      yield judge('bare', bare ? 'holds' : 'bends', 'a request with an id and without params', frame, kind)
      const key = idKey(at(message, 'id'))
      if (isRequest && state.seen.has(key)) continue
      state.seen.add(key)
      state.times = [...state.times.filter(time => frame.at - time < SPAN_MS), frame.at]
      yield judge(
        'moderate',
        state.times.length <= MOST,
        `${MOST} pings in half a minute at most`,
        {
          text: `${state.times.length} pings within ${Math.round(frame.at - (state.times[0] ?? frame.at))} ms`,
          frames: [frame],
        },
        'unasked',
      )
    }
  },
  defects: [
    {
      named: 'a client that pings with params',
      on: 'client/ping/answers',
      breaks: 'bare',
      kind: 'unasked',
      verdict: 'warn',
      replace: pinging({ timestamp: 1 }),
    },
    {
      named: 'a client that pings by notification',
      on: 'client/ping/answers',
      breaks: 'bare',
      kind: 'missing',
      verdict: 'warn',
      tamper: tampers.answer('ping', message => [notification('ping'), message]),
    },
    {
      named: 'a client that pings all the time',
      on: 'client/ping/answers',
      breaks: 'moderate',
      kind: 'unasked',
      replace: pinging(...Array.from({ length: MOST + 1 }, () => undefined)),
    },
    {
      named: 'pings with params',
      on: 'server/lifecycle/before-initialized',
      breaks: 'bare',
      kind: 'unasked',
      verdict: 'warn',
      replace: {
        greets: (when: string) => (when === 'initialized' ? [{ method: 'ping', params: { timestamp: 1 } }] : []),
      },
    },
    {
      named: 'pings by notification',
      on: 'server/ping/answers',
      breaks: 'bare',
      kind: 'missing',
      verdict: 'warn',
      tamper: tampers.answer('ping', message => [notification('ping'), message]),
    },
    {
      named: 'pings all the time',
      on: 'server/lifecycle/before-initialized',
      breaks: 'moderate',
      kind: 'unasked',
      replace: {
        greets: (when: string) =>
          when === 'initialized' ? Array.from({ length: MOST + 1 }, () => ({ method: 'ping' })) : [],
      },
    },
  ],
  variants: [
    {
      named: 'a client that pings twice',
      on: 'client/ping/answers',
      shows: ['bare', 'moderate'],
      replace: pinging(undefined, { _meta: {} }),
    },
    {
      named: 'pings twice',
      on: 'server/lifecycle/before-initialized',
      shows: ['bare', 'moderate'],
      replace: {
        greets: (when: string) =>
          when === 'initialized' ? [{ method: 'ping' }, { method: 'ping', params: { _meta: {} } }] : [],
      },
    },
  ],
})

/** A client that pings as soon as it may, with each of these params. */
function pinging(...all: (JsonObject | undefined)[]) {
  const pings = all.map(params => ({ method: 'ping', ...(params === undefined ? {} : { params }) }))
  return { greets: (when: string) => (when === 'initialized' ? pings : []) }
}

const isBare = (params: Json | undefined): boolean =>
  params === undefined || (isObject(params) && Object.keys(params).every(name => name === '_meta'))
