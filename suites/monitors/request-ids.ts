import {
  at,
  type Frame,
  idKey,
  isRequestId,
  judge,
  monitor,
  notification,
  shapeOf,
  tampers,
  theirMessages,
} from '../../src/suite/monitor.ts'

interface State {
  /** each id with the message that had it, and the exchange that carried that */
  used: Map<string, { text: string; exchange: number | undefined }>
  /** event ids: a replayed event is the same request once more */
  events: Set<string>
  /** HTTP exchanges of a client in which its message was taken */
  taken: Set<number>
}

/** Requests and notifications of the target: ids where they belong, and nowhere else. */
export default monitor({
  title: 'Requests have proper ids of their own and notifications have none',
  frames: 'all',
  sides: ['server', 'client'],
  claims: {
    type: 'base.request.id-present-string-or-integer',
    notNull: 'base.request.id-not-null',
    unique: 'base.request.id-unique-per-session',
    none: 'base.notification.no-id',
  },
  start: (): State => ({ used: new Map(), events: new Set(), taken: new Set() }),
  *see(state, frame) {
    const { exchange } = frame
    if (frame.kind === 'http' && frame.from === 'us' && exchange !== undefined && isGood(frame.status))
      state.taken.add(exchange)
    for (const message of theirMessages(frame)) {
      const method = at(message, 'method')
      if (typeof method !== 'string') continue
      const id = at(message, 'id')
      if (method.startsWith('notifications/')) {
        yield judge('none', shapeOf(message) === 'notification', 'a notification without the member id', frame, {
          kind: 'unasked',
          subject: method,
        })
        continue
      }
      const typed = { kind: id === undefined ? 'missing' : 'wrong-type', subject: method } as const
      yield judge('notNull', id !== null, 'a request id that is not null', frame, typed)
      if (id === null) continue
      yield judge('type', isRequestId(id), 'a request id that is a string or an integer', frame, typed)
      const unique = isRepeated(state, idKey(id), frame) || !state.used.has(idKey(id))
      yield judge('unique', unique, 'a request id not used before in this session', frame, {
        kind: 'duplicate',
        subject: method,
      })
      state.used.set(idKey(id), { text: frame.kind === 'message' ? frame.text : '', exchange })
    }
  },
  defects: [
    ...(
      [
        ['a fraction as id', 'type', { id: 1.5 }],
        ['an object as id', 'type', { id: {} }],
        ['null as id', 'notNull', { id: null }],
      ] as const
    ).map(([named, breaks, member]) => ({
      named: `${named}, from a client`,
      on: 'client/ping/answers',
      breaks,
      kind: 'wrong-type' as const,
      tamper: tampers.message(message => (message.method === 'tools/list' ? { ...message, ...member } : message)),
    })),
    {
      named: 'always the same id',
      on: 'client/ping/answers',
      breaks: 'unique',
      kind: 'duplicate',
      replace: { ids: () => () => 1 },
    },
    {
      named: 'initialized with an id',
      on: 'client/ping/answers',
      breaks: 'none',
      kind: 'unasked',
      tamper: tampers.message(message =>
        message.method === 'notifications/initialized' ? { ...message, id: 2 } : message,
      ),
    },
    {
      named: 'a fraction as id',
      on: 'server/lifecycle/before-initialized',
      breaks: 'type',
      kind: 'wrong-type',
      tamper: tampers.message(message => (message.method === 'roots/list' ? { ...message, id: 1.5 } : message)),
    },
    {
      named: 'a request without id',
      on: 'server/lifecycle/before-initialized',
      breaks: 'type',
      kind: 'missing',
      tamper: tampers.message(({ id, ...rest }) => (rest.method === 'roots/list' ? rest : { id, ...rest })),
    },
    {
      named: 'null as id',
      on: 'server/lifecycle/before-initialized',
      breaks: 'notNull',
      kind: 'wrong-type',
      tamper: tampers.message(message => (message.method === 'roots/list' ? { ...message, id: null } : message)),
    },
    {
      named: 'the same id twice',
      on: 'server/lifecycle/before-initialized',
      breaks: 'unique',
      kind: 'duplicate',
      tamper: tampers.message(message => (message.method === 'roots/list' ? [message, message] : message)),
    },
    {
      named: 'a notification with id',
      on: 'server/lifecycle/before-initialized',
      breaks: 'none',
      kind: 'unasked',
      tamper: tampers.message(message =>
        message.method === 'roots/list'
          ? [message, { ...notification('notifications/tools/list_changed'), id: null }]
          : message,
      ),
    },
  ],
  variants: [
    {
      named: 'posts a request once more that was refused',
      on: 'client/ping/answers',
      shows: ['unique'],
      via: 'http',
      tamper: tampers.request(request =>
        at(request.message, 'method') === 'tools/list'
          ? [{ headers: { ...request.headers, 'MCP-Session-Id': 'none' } }, {}]
          : {},
      ),
    },
  ],
})

const isGood = (status: number | undefined): boolean => status !== undefined && status >= 200 && status < 300

/** The same message once more: an event that is replayed, or a POST behind one that was not taken. */
function isRepeated(state: State, key: string, frame: Frame): boolean {
  if (frame.kind !== 'message') return false
  if (frame.eventId !== undefined) {
    const seen = state.events.has(frame.eventId)
    state.events.add(frame.eventId)
    if (seen) return true
  }
  const before = state.used.get(key)
  return (
    before?.exchange !== undefined &&
    before.exchange !== frame.exchange &&
    !state.taken.has(before.exchange) &&
    before.text === frame.text
  )
}
