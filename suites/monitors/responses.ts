import {
  at,
  idKey,
  isObject,
  judge,
  monitor,
  ourMessages,
  shapeOf,
  tampers,
  textAt,
  theirMessages,
  trackExchanges,
} from '../../src/suite/monitor.ts'

interface State {
  /** requests of ours, by id key: the method, and how often the id was used */
  asked: Map<string, { method: string; times: number }>
  /** how often each was answered, and the event that brought the first answer */
  answered: Map<string, { times: number; event: string | undefined }>
  /** cancelled ones: what comes for them is a race, which server/cancellation judges */
  cancelled: Set<string>
  /** a deliberate fault was sent, so that an answer may carry an id of which we do not know */
  provoked: boolean
  exchanges: ReturnType<typeof trackExchanges>
}

/** Each response has the members it needs and comes once. */
export default monitor({
  title: 'Responses have a result object or an error, and each request gets one',
  frames: 'all',
  sides: ['server', 'client'],
  claims: {
    result: 'base.response.result-member-present',
    object: 'base.response.result-is-object',
    either: 'base.response.not-both-result-and-error',
    once: 'base.response.one-per-request',
    known: 'base.response.result-id-matches',
  },
  start: (): State => ({
    asked: new Map(),
    answered: new Map(),
    cancelled: new Set(),
    provoked: false,
    exchanges: trackExchanges(),
  }),
  *see(state, frame) {
    for (const message of ourMessages(frame)) {
      const id = idKey(at(message, 'id'))
      if (shapeOf(message) === 'request')
        state.asked.set(id, { method: textAt(message, 'method') ?? '', times: (state.asked.get(id)?.times ?? 0) + 1 })
      if (at(message, 'method') === 'notifications/cancelled')
        state.cancelled.add(idKey(at(message, 'params', 'requestId')))
    }
    if ('intended' in frame && frame.intended === 'fault') state.provoked = true
    const replay = state.exchanges.follow(frame)?.resumes === true
    for (const message of theirMessages(frame)) {
      if (!isObject(message) || message.method !== undefined) continue
      const hasResult = Object.hasOwn(message, 'result')
      const hasError = Object.hasOwn(message, 'error')
      const subject = state.asked.get(idKey(message.id))?.method ?? 'responses'
      yield judge('either', !(hasResult && hasError), 'either result or error, not both', frame, {
        kind: 'unasked',
        subject,
      })
      if (Object.hasOwn(message, 'id'))
        yield judge('result', hasResult || hasError, 'a result or an error', frame, { kind: 'missing', subject })
      if (hasResult)
        yield judge('object', isObject(message.result), 'a result that is an object', frame, {
          kind: 'wrong-type',
          subject,
        })
      const key = idKey(message.id)
      // A resumed stream may be one of another session, when a scenario asks for that.
      if (hasResult && !state.provoked && !replay) {
        yield judge('known', state.asked.has(key), 'the id of a request of ours, type and value', frame)
      }
      if (!(hasResult || hasError) || !state.asked.has(key)) continue
      const event = frame.kind === 'message' ? frame.eventId : undefined
      const before = state.answered.get(key)
      // The same event delivered once more after a resumption is no second response.
      if (before !== undefined && event !== undefined && before.event === event) continue
      const times = (before?.times ?? 0) + 1
      if (!state.cancelled.has(key))
        yield judge('once', times <= (state.asked.get(key)?.times ?? 0), 'one response to a request', frame, {
          kind: 'duplicate',
          subject,
        })
      state.answered.set(key, { times, event: before?.event ?? event })
    }
  },
  defects: [
    ...['server/ping/answers', 'client/base/echoes-ids'].flatMap(on => [
      {
        named: 'answers carry an id of their own',
        on,
        breaks: 'known' as const,
        kind: 'wrong-value' as const,
        tamper: tampers.answer('ping', message => ({ ...message, id: 'mine' })),
      },
      {
        named: 'every id comes back as 0',
        on,
        breaks: 'known' as const,
        kind: 'wrong-value' as const,
        tamper: tampers.message(message => (message.method === undefined ? { ...message, id: 0 } : message)),
      },
      {
        named: 'an answer with neither result nor error',
        on,
        breaks: 'result' as const,
        kind: 'missing' as const,
        tamper: tampers.answer('ping', ({ id }) => ({ jsonrpc: '2.0', id })),
      },
      {
        named: 'the result is an array',
        on,
        breaks: 'object' as const,
        kind: 'wrong-type' as const,
        tamper: tampers.result('ping', () => []),
      },
      {
        named: 'the result is null',
        on,
        breaks: 'object' as const,
        kind: 'wrong-type' as const,
        tamper: tampers.result('ping', () => null),
      },
      {
        named: 'error: null beside the result',
        on,
        breaks: 'either' as const,
        kind: 'unasked' as const,
        tamper: tampers.answer('ping', message => ({ ...message, error: null })),
      },
    ]),
    {
      named: 'every response is sent twice',
      on: 'server/ping/answers',
      breaks: 'once',
      kind: 'duplicate',
      via: 'stdio',
      tamper: tampers.message((message, cause) => (cause === undefined ? message : [message, message])),
    },
    {
      named: 'a client sends every response twice',
      on: 'client/base/echoes-ids',
      breaks: 'once',
      kind: 'duplicate',
      tamper: tampers.message((message, cause) => (cause === undefined ? message : [message, message])),
    },
    {
      named: 'the response is sent twice on its stream',
      on: 'server/transport-http/stream-of-a-request',
      breaks: 'once',
      kind: 'duplicate',
      via: 'http',
      tamper: tampers.block((raw, message) =>
        at(message, 'result') === undefined ? raw : [raw, raw.replace(/^id: .*$/m, 'id: again')],
      ),
    },
  ],
})
