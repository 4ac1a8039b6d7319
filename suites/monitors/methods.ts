import {
  definitionOf,
  isObject,
  type JsonObject,
  judge,
  type MonitorContext,
  monitor,
  notification,
  request,
  shapeOf,
  tampers,
  theirMessages,
} from '../../src/suite/monitor.ts'

const CLAIMS = {
  server: { request: 'requests', notification: 'notifications' },
  client: { request: 'clientRequests', notification: 'clientNotifications' },
} as const

/** Each side has methods of its own; what belongs to neither is an extension, which is not judged. */
export default monitor({
  title: 'Each side sends the requests and notifications that are its own',
  sides: ['server', 'client'],
  claims: {
    requests: 'schema.methods.server-requests',
    notifications: 'schema.methods.server-notifications',
    clientRequests: 'schema.methods.client-requests',
    clientNotifications: 'schema.methods.client-notifications',
  },
  unseen: 'n/a',
  start: (context: MonitorContext) => context,
  *see(context, frame) {
    for (const message of theirMessages(frame)) {
      const kind = shapeOf(message)
      if (!isObject(message) || (kind !== 'request' && kind !== 'notification')) continue
      const { method } = message
      if (typeof method !== 'string') continue
      const belongsTo = (['server', 'client'] as const).filter(
        side => definitionOf(context.revision(), side, method, kind) !== undefined,
      )
      if (belongsTo.length === 0) continue
      const { role } = context
      yield judge(CLAIMS[role][kind], belongsTo.includes(role), `${kind}s that are a ${role}'s to send`, frame, {
        kind: 'unasked',
        subject: method,
      })
    }
  },
  defects: [
    ...['roots/list', 'sampling/createMessage', 'elicitation/create'].map(method => ({
      named: `a client that asks ${method}`,
      on: 'client/ping/answers',
      breaks: 'clientRequests' as const,
      kind: 'unasked' as const,
      tamper: said({ id: 'x', method }),
    })),
    ...[
      'notifications/message',
      'notifications/tools/list_changed',
      'notifications/resources/updated',
      'notifications/elicitation/complete',
    ].map(method => ({
      named: `a client that says ${method}`,
      on: 'client/ping/answers',
      breaks: 'clientNotifications' as const,
      kind: 'unasked' as const,
      tamper: said({ method }),
    })),
    {
      named: 'asks the client for its tools',
      on: 'server/ping/answers',
      breaks: 'requests',
      kind: 'unasked',
      tamper: said({ id: 'x', method: 'tools/list' }),
    },
    {
      named: 'opens a session with its client',
      on: 'server/ping/answers',
      breaks: 'requests',
      kind: 'unasked',
      spec: '2024-11-05',
      tamper: said({ id: 'x', method: 'initialize', params: {} }),
    },
    {
      named: 'says that it is initialized',
      on: 'server/ping/answers',
      breaks: 'notifications',
      kind: 'unasked',
      tamper: said({ method: 'notifications/initialized' }),
    },
    {
      named: 'says that its roots have changed',
      on: 'server/ping/answers',
      breaks: 'notifications',
      kind: 'unasked',
      tamper: said({ method: 'notifications/roots/list_changed' }),
    },
  ],
  variants: [
    {
      named: 'a client with a request of its own',
      on: 'client/ping/answers',
      shows: ['clientRequests', 'clientNotifications'],
      tamper: said({ id: 'x', method: 'com.example/ask' }),
    },
    {
      named: 'a client that says that its roots have changed',
      on: 'client/ping/answers',
      shows: ['clientNotifications'],
      tamper: said({ method: 'notifications/roots/list_changed' }),
    },
    { named: 'a request of its own', on: 'server/ping/answers', tamper: said({ id: 'x', method: 'com.example/ask' }) },
    {
      named: 'a log message',
      on: 'server/ping/answers',
      shows: ['notifications'],
      tamper: said({ method: 'notifications/message', params: { level: 'info', data: 1 } }),
    },
  ],
})

/** Something is said before a ping is answered. */
function said({ id, method, params }: { id?: string; method: string; params?: JsonObject }) {
  const message = id === undefined ? notification(method, params) : request(id, method, params)
  return tampers.answer('ping', answer => [message, answer])
}
