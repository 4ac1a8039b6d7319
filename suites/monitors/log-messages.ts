import { at, isObject, type JsonObject, judge, monitor, theirMessages } from '../../src/suite/monitor.ts'

/** Every `notifications/message`, wherever it comes. What it consists of is a matter of monitors/schema. */
export default monitor({
  title: 'Log messages come where logging is declared',
  claims: { declared: 'logging.capability.declared' },
  start: (): { capabilities: JsonObject | undefined } => ({ capabilities: undefined }),
  *see(state, frame) {
    for (const message of theirMessages(frame)) {
      const capabilities = at(message, 'result', 'capabilities')
      if (isObject(capabilities) && at(message, 'result', 'protocolVersion') !== undefined)
        state.capabilities = capabilities
      if (at(message, 'method') !== 'notifications/message' || state.capabilities === undefined) continue
      const isDeclared = Boolean(state.capabilities.logging)
      yield judge('declared', isDeclared, 'log messages only with logging declared', frame, 'unasked')
    }
  },
  defects: [
    {
      named: 'logs without logging',
      on: 'server/lifecycle/before-initialized',
      breaks: 'declared',
      kind: 'unasked',
      replace: { ...greeting({ level: 'info', data: 'hello' }), capabilities: { tools: {} } },
    },
  ],
  variants: [
    {
      named: 'logs where it declared that',
      on: 'server/lifecycle/before-initialized',
      shows: ['declared'],
      replace: greeting({ level: 'info', data: 'hello' }),
    },
  ],
})

function greeting(params: JsonObject) {
  return {
    greets: (when: 'answered' | 'initialized' | 'roots changed') =>
      when === 'initialized' ? [{ method: 'notifications/message', params }] : [],
  }
}
