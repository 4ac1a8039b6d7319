import { at, isObject, type JsonObject, judge, monitor, tampers, theirMessages } from '../../src/suite/monitor.ts'

const LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency']

/** The body of every `notifications/message`, wherever it comes. */
export default monitor({
  title: 'Log messages come where logging is declared, with a syslog level and data',
  claims: {
    declared: 'logging.capability.declared',
    level: 'logging.message.level',
    known: 'logging.levels.values',
    data: 'logging.message.data',
    logger: 'logging.message.logger-optional',
  },
  start: (): { capabilities: JsonObject | undefined } => ({ capabilities: undefined }),
  *see(state, frame) {
    for (const message of theirMessages(frame)) {
      const capabilities = at(message, 'result', 'capabilities')
      if (isObject(capabilities) && at(message, 'result', 'protocolVersion') !== undefined)
        state.capabilities = capabilities
      if (at(message, 'method') !== 'notifications/message') continue
      if (state.capabilities !== undefined)
        yield judge('declared', Boolean(state.capabilities.logging), 'log messages only with logging declared', frame)
      const level = at(message, 'params', 'level')
      yield judge('level', typeof level === 'string', 'a level that is a string', frame)
      if (typeof level === 'string')
        yield judge('known', LEVELS.includes(level), `one of the levels ${LEVELS.join(', ')}`, frame)
      yield judge('data', at(message, 'params', 'data') !== undefined, 'the member data, of any type', frame)
      const logger = at(message, 'params', 'logger')
      yield judge('logger', logger === undefined || typeof logger === 'string', 'no logger, or a string', frame)
    }
  },
  defects: [
    {
      named: 'logs without logging',
      on: 'server/lifecycle/before-initialized',
      breaks: 'declared',
      replace: { ...greeting({ level: 'info', data: 'hello' }), capabilities: { tools: {} } },
    },
    ...(
      [
        ['level', { data: 'hello' }],
        ['level', { level: 3, data: 'hello' }],
        ['known', { level: 'warn', data: 'hello' }],
        ['known', { level: 'INFO', data: 'hello' }],
        ['known', { level: 'fatal', data: 'hello' }],
        ['data', { level: 'info' }],
        ['data', { level: 'info', message: 'hello' }],
        ['logger', { level: 'info', data: 'hello', logger: null }],
        ['logger', { level: 'info', data: 'hello', logger: { name: 'core' } }],
      ] as const
    ).map(([breaks, params]) => ({
      named: `logs ${JSON.stringify(params)}`,
      on: 'server/lifecycle/before-initialized',
      breaks,
      replace: greeting(params),
    })),
    {
      named: 'levels of a tool in capitals',
      on: 'server/logging/threshold',
      breaks: 'known',
      tamper: tampers.message(message =>
        message.method === 'notifications/message'
          ? { ...message, params: { level: 'INFO', data: at(message, 'params', 'data') } }
          : message,
      ),
    },
  ],
  variants: [
    {
      named: 'logs all kinds of data',
      on: 'server/lifecycle/before-initialized',
      shows: ['declared', 'level', 'known', 'data', 'logger'],
      replace: greeting(
        { level: 'debug', data: null },
        { level: 'alert', data: 0, logger: '' },
        { level: 'emergency', data: { error: 'hello' }, logger: 'core' },
      ),
    },
  ],
})

function greeting(...messages: JsonObject[]) {
  return {
    greets: (when: 'answered' | 'initialized' | 'roots changed') =>
      when === 'initialized' ? messages.map(params => ({ method: 'notifications/message', params })) : [],
  }
}
