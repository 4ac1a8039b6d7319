import { at, type Frame, judge, monitor, theirMessages } from '../../src/suite/monitor.ts'

/** Names by which other protocols say that they end; MCP has none. */
const FAREWELL = /^(?:notifications\/)?(?:shutdown|exit|disconnect|close|terminate|goodbye)$/i

interface State {
  last: Frame | undefined
  farewell: Frame | undefined
}

/** The end of a session is signalled by the transport alone (basic/lifecycle#shutdown). */
export default monitor({
  title: 'No message announces the end of the session',
  sides: ['server', 'client'],
  claims: { none: 'lifecycle.shutdown.no-message' },
  start: (): State => ({ last: undefined, farewell: undefined }),
  *see(state, frame) {
    for (const message of theirMessages(frame)) {
      state.last = frame
      const method = at(message, 'method')
      if (typeof method !== 'string' || !FAREWELL.test(method)) continue
      state.farewell = frame
      yield judge('none', false, 'no message that means the end', frame, { kind: 'unasked', subject: method })
    }
  },
  *end({ last, farewell }) {
    if (last !== undefined && farewell === undefined) yield judge('none', true, 'no message that means the end', last)
  },
  defects: [
    ...['shutdown', 'notifications/exit'].map(method => ({
      named: `a client that ends with ${method}`,
      on: 'client/ping/answers',
      breaks: 'none' as const,
      kind: 'unasked' as const,
      replace: {
        greets: (when: string) =>
          when === 'closing' ? [method === 'shutdown' ? { method } : { method, isNotification: true as const }] : [],
      },
    })),
    {
      named: 'asks for the shutdown',
      on: 'server/lifecycle/before-initialized',
      breaks: 'none',
      kind: 'unasked',
      replace: { greets: (when: string) => (when === 'initialized' ? [{ method: 'shutdown' }] : []) },
    },
    {
      named: 'says that it exits',
      on: 'server/ping/answers',
      via: 'stdio',
      breaks: 'none',
      kind: 'unasked',
      replace: { farewell: '{"jsonrpc":"2.0","method":"notifications/exit"}\n' },
    },
  ],
  variants: [
    { named: 'a client that just ends', on: 'client/ping/answers', shows: ['none'], replace: {} },
    { named: 'just ends', on: 'server/ping/answers', shows: ['none'], replace: {} },
  ],
})
