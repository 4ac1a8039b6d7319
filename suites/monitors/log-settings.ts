import {
  at,
  codes,
  idKey,
  judge,
  monitor,
  ourMessages,
  shapeOf,
  tampers,
  textAt,
  theirMessages,
} from '../../src/suite/monitor.ts'

const LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency']

/** A legal level that cannot be set: then the server's configuration failed, and nothing that we said. */
export default monitor({
  title: 'A failure to set a legal log level is reported as an internal error',
  claims: { code: 'logging.errors.configuration' },
  start: () => new Set<string>(),
  *see(open, frame) {
    for (const message of ourMessages(frame)) {
      if (at(message, 'method') === 'logging/setLevel' && LEVELS.includes(textAt(message, 'params', 'level') ?? ''))
        open.add(idKey(at(message, 'id')))
    }
    for (const message of theirMessages(frame)) {
      const shape = shapeOf(message)
      if ((shape !== 'error' && shape !== 'result') || !open.delete(idKey(at(message, 'id')))) continue
      const code = at(message, 'error', 'code')
      // An unknown method is no failure of a configuration: there is nothing to configure.
      if (shape === 'result' || code === codes.methodNotFound)
        yield judge('code', 'n/a', 'only judged where setting a legal level failed', frame)
      else yield judge('code', code === codes.internalError, 'error -32603', frame, 'wrong-code')
    }
  },
  defects: [
    {
      named: 'the store of settings fails with error -32000',
      on: 'server/logging/set-level',
      breaks: 'code',
      kind: 'wrong-code',
      tamper: refusing(-32000),
    },
    {
      named: 'the client is blamed for it',
      on: 'server/logging/set-level',
      breaks: 'code',
      kind: 'wrong-code',
      tamper: refusing(codes.invalidParams),
    },
  ],
  variants: [
    {
      named: 'the store of settings fails with error -32603',
      on: 'server/logging/set-level',
      shows: ['code'],
      tamper: refusing(codes.internalError),
    },
    { named: 'setLevel is unknown', on: 'server/logging/set-level', tamper: refusing(codes.methodNotFound) },
  ],
})

function refusing(code: number) {
  return tampers.refuse('logging/setLevel', code, 'the level could not be stored')
}
