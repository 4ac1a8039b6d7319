import {
  at,
  isObject,
  type JsonObject,
  judge,
  monitor,
  ourMessages,
  shapeOf,
  theirMessages,
} from '../../src/suite/monitor.ts'

/**
 * The wish of a client for log messages; it need not have one (server/utilities/logging#setting-log-level). Which levels there
 * are is a matter of monitors/schema.
 */
export default monitor({
  title: 'A client sets a level only at a server that declares logging',
  sides: ['client'],
  claims: { allowed: 'logging.set-level.client-may-send' },
  start: (): { theirs: JsonObject | undefined; asked: boolean } => ({ theirs: undefined, asked: false }),
  *see(state, frame) {
    for (const message of ourMessages(frame)) {
      const declared = at(message, 'result', 'capabilities')
      if (isObject(declared) && at(message, 'result', 'protocolVersion') !== undefined) state.theirs = declared
    }
    for (const message of theirMessages(frame)) {
      if (at(message, 'method') !== 'logging/setLevel' || shapeOf(message) !== 'request') continue
      state.asked = true
      if (state.theirs === undefined) continue
      const isDeclared = isObject(state.theirs.logging)
      yield judge('allowed', isDeclared, 'no level where logging is not declared', frame, 'unasked')
    }
  },
  *end({ theirs, asked }) {
    if (theirs === undefined || asked) return
    yield judge('allowed', true, 'no level that was not called for', { text: 'no level was set', frames: [] })
  },
  defects: [
    {
      named: 'sets a level wherever it comes',
      on: 'client/lifecycle/opens',
      breaks: 'allowed',
      kind: 'unasked',
      replace: setting('info'),
    },
  ],
  variants: [
    { named: 'sets none', on: 'client/lifecycle/opens', shows: ['allowed'], replace: {} },
    {
      named: 'sets one where logging is declared',
      on: 'client/base/unknown-method',
      shows: ['allowed'],
      replace: setting('emergency'),
    },
  ],
})

function setting(level: string) {
  return {
    greets: (when: string) => (when === 'initialized' ? [{ method: 'logging/setLevel', params: { level } }] : []),
  }
}
