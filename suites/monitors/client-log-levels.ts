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

const LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency']

/** The wish of a client for log messages; it need not have one (server/utilities/logging#setting-log-level). */
export default monitor({
  title: 'A client sets a syslog level, and only at a server that declares logging',
  sides: ['client'],
  claims: {
    known: 'logging.levels.values',
    allowed: 'logging.set-level.client-may-send',
  },
  start: (): { theirs: JsonObject | undefined; asked: boolean } => ({ theirs: undefined, asked: false }),
  *see(state, frame) {
    for (const message of ourMessages(frame)) {
      const declared = at(message, 'result', 'capabilities')
      if (isObject(declared) && at(message, 'result', 'protocolVersion') !== undefined) state.theirs = declared
    }
    for (const message of theirMessages(frame)) {
      if (at(message, 'method') !== 'logging/setLevel' || shapeOf(message) !== 'request') continue
      state.asked = true
      const level = at(message, 'params', 'level')
      yield judge(
        'known',
        typeof level === 'string' && LEVELS.includes(level),
        `one of the levels ${LEVELS.join(', ')}`,
        frame,
      )
      if (state.theirs !== undefined)
        yield judge('allowed', isObject(state.theirs.logging), 'no level where logging is not declared', frame)
    }
  },
  *end({ theirs, asked }) {
    if (theirs === undefined || asked) return
    const got = { text: 'no level was set', frames: [] }
    yield judge('known', 'n/a', 'a level', got)
    yield judge('allowed', true, 'no level that was not called for', got)
  },
  defects: [
    ...['warn', 'INFO', 'fatal', 3, null].map(level => ({
      named: `sets the level ${JSON.stringify(level)}`,
      // A server that declares logging.
      on: 'client/base/unknown-method',
      breaks: 'known' as const,
      replace: setting(level),
    })),
    {
      named: 'sets a level wherever it comes',
      on: 'client/lifecycle/opens',
      breaks: 'allowed',
      replace: setting('info'),
    },
  ],
  variants: [
    { named: 'sets none', on: 'client/lifecycle/opens', shows: ['allowed'], replace: {} },
    {
      named: 'sets one where logging is declared',
      on: 'client/base/unknown-method',
      shows: ['known', 'allowed'],
      replace: setting('emergency'),
    },
  ],
})

function setting(level: string | number | null) {
  return {
    greets: (when: string) => (when === 'initialized' ? [{ method: 'logging/setLevel', params: { level } }] : []),
  }
}
