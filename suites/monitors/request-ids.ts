import { at, idKey, isRequestId, judge, monitor, shapeOf, tampers, theirMessages } from '../../src/suite.ts'

/** Requests and notifications of the target: ids where they belong, and nowhere else. */
export default monitor({
  title: 'Requests have proper ids of their own and notifications have none',
  claims: {
    type: 'base.request.id-present-string-or-integer',
    notNull: 'base.request.id-not-null',
    unique: 'base.request.id-unique-per-session',
    none: 'base.notification.no-id',
  },
  start: () => new Set<string>(),
  *see(used, frame) {
    for (const message of theirMessages(frame)) {
      const method = at(message, 'method')
      if (typeof method !== 'string') continue
      const id = at(message, 'id')
      if (method.startsWith('notifications/')) {
        yield judge('none', shapeOf(message) === 'notification', 'a notification without the member id', frame)
        continue
      }
      yield judge('notNull', id !== null, 'a request id that is not null', frame)
      if (id === null) continue
      yield judge('type', isRequestId(id), 'a request id that is a string or an integer', frame)
      // A replayed event is the same request once more, not a second one.
      const event = frame.kind === 'message' && frame.eventId !== undefined ? `event ${frame.eventId}` : undefined
      const replayed = event !== undefined && used.has(event)
      if (event !== undefined) used.add(event)
      yield judge('unique', replayed || !used.has(idKey(id)), 'a request id not used before in this session', frame)
      used.add(idKey(id))
    }
  },
  defects: [
    {
      named: 'a fraction as id',
      on: 'server/lifecycle/before-initialized',
      breaks: 'type',
      tamper: tampers.message(message => (message.method === 'roots/list' ? { ...message, id: 1.5 } : message)),
    },
    {
      named: 'a request without id',
      on: 'server/lifecycle/before-initialized',
      breaks: 'type',
      tamper: tampers.message(({ id, ...rest }) => (rest.method === 'roots/list' ? rest : { id, ...rest })),
    },
    {
      named: 'null as id',
      on: 'server/lifecycle/before-initialized',
      breaks: 'notNull',
      tamper: tampers.message(message => (message.method === 'roots/list' ? { ...message, id: null } : message)),
    },
    {
      named: 'the same id twice',
      on: 'server/lifecycle/before-initialized',
      breaks: 'unique',
      tamper: tampers.message(message => (message.method === 'roots/list' ? [message, message] : message)),
    },
    {
      named: 'a notification with id',
      on: 'server/lifecycle/before-initialized',
      breaks: 'none',
      tamper: tampers.message(message =>
        message.method === 'roots/list'
          ? [message, { jsonrpc: '2.0', id: null, method: 'notifications/tools/list_changed' }]
          : message,
      ),
    },
  ],
})
