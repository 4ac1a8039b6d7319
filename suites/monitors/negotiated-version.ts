import {
  at,
  isResponse,
  judge,
  type MonitorContext,
  monitor,
  type Revision,
  shapeOf,
  tampers,
  theirMessages,
} from '../../src/suite/monitor.ts'

interface State {
  context: MonitorContext
  /** we sent an array ourselves */
  provoked: boolean
}

/** Requests that a revision brought, of either side. Newer members of messages are tolerated: objects are open. */
const SINCE: Record<string, Revision> = {
  'tasks/get': '2025-11-25',
  'tasks/result': '2025-11-25',
  'tasks/list': '2025-11-25',
  'tasks/cancel': '2025-11-25',
}

/** Both sides keep to the version that they agreed on (basic/lifecycle#operation). */
export default monitor({
  title: 'Nothing is sent that the negotiated revision does not know',
  sides: ['server', 'client'],
  claims: { respects: 'lifecycle.operation.respect-version' },
  start: (context): State => ({ context, provoked: false }),
  *see(state, frame) {
    if (frame.kind !== 'message' || frame.json === undefined) return
    if (frame.from === 'us') {
      state.provoked ||= Array.isArray(frame.json)
      return
    }
    if (Array.isArray(frame.json)) {
      // No sentence obliges anybody to refuse our array, so that an answer in kind is the smaller fault.
      const inKind = state.provoked && frame.json.every(one => isResponse(shapeOf(one)))
      yield judge('respects', inKind ? 'bends' : 'breaks', 'single messages; arrays ended with 2025-03-26', frame, {
        kind: 'wrong-type',
        subject: 'arrays',
      })
    } else {
      yield judge('respects', true, 'a single message', frame)
    }
    for (const message of theirMessages(frame)) {
      const method = String(at(message, 'method'))
      const since = Object.hasOwn(SINCE, method) ? SINCE[method] : undefined
      if (since === undefined || shapeOf(message) !== 'request') continue
      const revision = state.context.revision()
      yield judge('respects', revision >= since, `no ${method} under ${revision}; it came with ${since}`, frame, {
        kind: 'unasked',
        subject: method,
      })
    }
  },
  defects: [
    {
      named: 'a client that lists tasks under 2025-06-18',
      on: 'client/ping/answers',
      spec: '2025-06-18',
      breaks: 'respects',
      kind: 'unasked',
      replace: { greets: (when: string) => (when === 'initialized' ? [{ method: 'tasks/list' }] : []) },
    },
    {
      named: 'a client that posts its messages in arrays',
      on: 'client/ping/answers',
      breaks: 'respects',
      kind: 'wrong-type',
      tamper: tampers.json(message => (at(message, 'method') === 'tools/list' ? [message] : message)),
    },
    {
      named: 'lists tasks under 2025-06-18',
      on: 'server/lifecycle/before-initialized',
      spec: '2025-06-18',
      breaks: 'respects',
      kind: 'unasked',
      replace: { greets: (when: string) => (when === 'initialized' ? [{ method: 'tasks/list' }] : []) },
    },
    {
      named: 'answers in an array',
      on: 'server/ping/answers',
      breaks: 'respects',
      kind: 'wrong-type',
      tamper: tampers.json((message, cause) => (cause?.method === 'ping' ? [message] : message)),
    },
  ],
  variants: [
    {
      named: 'a client that lists tasks under the revision that has them',
      on: 'client/ping/answers',
      shows: ['respects'],
      replace: { greets: (when: string) => (when === 'initialized' ? [{ method: 'tasks/list' }] : []) },
    },
    {
      named: 'asks under an older revision for what that knows',
      on: 'server/lifecycle/before-initialized',
      spec: '2025-06-18',
      shows: ['respects'],
      replace: { greets: (when: string) => (when === 'initialized' ? [{ method: 'roots/list' }] : []) },
    },
    {
      named: 'lists tasks under the revision that has them',
      on: 'server/lifecycle/before-initialized',
      shows: ['respects'],
      replace: { greets: (when: string) => (when === 'initialized' ? [{ method: 'tasks/list' }] : []) },
    },
  ],
})
