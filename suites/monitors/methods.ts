import {
  definitionOf,
  isObject,
  judge,
  type MonitorContext,
  monitor,
  shapeOf,
  tampers,
  theirMessages,
} from '../../src/suite.ts'

/** Each side has methods of its own; what belongs to neither is an extension, and nobody's business. */
export default monitor({
  title: 'A server sends the requests and notifications of a server, none of a client',
  claims: {
    requests: 'schema.methods.server-requests',
    notifications: 'schema.methods.server-notifications',
  },
  start: (context: MonitorContext) => ({ context, judged: new Set<string>() }),
  *see({ context, judged }, frame) {
    for (const message of theirMessages(frame)) {
      const kind = shapeOf(message)
      if (!isObject(message) || (kind !== 'request' && kind !== 'notification')) continue
      const { method } = message
      if (typeof method !== 'string') continue
      const belongsTo = (['server', 'client'] as const).filter(
        side => definitionOf(context.revision(), side, method, kind) !== undefined,
      )
      if (belongsTo.length === 0) continue
      judged.add(kind)
      yield judge(`${kind}s`, belongsTo.includes('server'), `${kind}s that are a server's to send`, frame)
    }
  },
  *end({ judged }) {
    for (const kind of ['request', 'notification'] as const) {
      if (!judged.has(kind)) yield judge(`${kind}s`, 'n/a', `a ${kind}`, { text: 'the server sent none', frames: [] })
    }
  },
  defects: [
    {
      named: 'asks the client for its tools',
      on: 'server/ping/answers',
      breaks: 'requests',
      tamper: said({ id: 'x', method: 'tools/list' }),
    },
    {
      named: 'opens a session with its client',
      on: 'server/ping/answers',
      breaks: 'requests',
      spec: '2024-11-05',
      tamper: said({ id: 'x', method: 'initialize', params: {} }),
    },
    {
      named: 'says that it is initialized',
      on: 'server/ping/answers',
      breaks: 'notifications',
      tamper: said({ method: 'notifications/initialized' }),
    },
    {
      named: 'says that its roots have changed',
      on: 'server/ping/answers',
      breaks: 'notifications',
      tamper: said({ method: 'notifications/roots/list_changed' }),
    },
  ],
  variants: [
    { named: 'a request of its own', on: 'server/ping/answers', tamper: said({ id: 'x', method: 'com.example/ask' }) },
    {
      named: 'a log message',
      on: 'server/ping/answers',
      shows: ['notifications'],
      tamper: said({ method: 'notifications/message', params: { level: 'info', data: 1 } }),
    },
  ],
})

/** The server says something before it answers a ping. */
function said(message: { id?: string; method: string; params?: Record<string, string | number> }) {
  return tampers.answer('ping', answer => [{ jsonrpc: '2.0', ...message }, answer])
}
