import { isObject, judge, monitor, tampers, theirMessages } from '../../src/suite/monitor.ts'

const STANDARD = new Set([-32700, -32600, -32601, -32602, -32603])

/** Every error object says what it has to say. */
export default monitor({
  title: 'Errors have an integer code and a message',
  sides: ['server', 'client'],
  claims: {
    object: 'base.response.error-object-present',
    code: 'base.response.error-has-code',
    integer: 'base.response.error-code-integer',
    message: 'base.response.error-has-message',
    reserved: 'base.error.reserved-range',
    concise: 'base.error.message-concise',
  },
  start: () => undefined,
  *see(_state, frame) {
    for (const message of theirMessages(frame)) {
      if (!isObject(message) || !Object.hasOwn(message, 'error') || message.method !== undefined) continue
      const error = message.error
      yield judge('object', isObject(error), 'an error that is an object', frame, 'wrong-type')
      if (!isObject(error)) continue
      const { code, message: text } = error
      yield judge('code', code !== undefined, 'an error with the member code', frame, 'missing')
      if (code !== undefined)
        yield judge('integer', Number.isInteger(code), 'a code that is an integer', frame, 'wrong-type')
      const says = typeof text !== 'string' ? 'breaks' : text === '' ? 'bends' : 'holds'
      const absence = text === undefined ? 'missing' : text === '' ? 'wrong-value' : 'wrong-type'
      yield judge('message', says, 'an error with a message', frame, absence)
      if (typeof code === 'number')
        yield judge('reserved', !isInvented(code), 'no code of its own from -32768 to -32100', frame, {
          kind: 'wrong-code',
          subject: String(code),
        })
      if (typeof text === 'string') yield judge('concise', isConcise(text), 'one short sentence as the message', frame)
    }
  },
  defects: ['server/base/unknown-method', 'client/base/unknown-method'].flatMap(on => [
    {
      named: 'error is a string',
      on,
      breaks: 'object' as const,
      kind: 'wrong-type' as const,
      tamper: tampers.error(() => 'no such method'),
    },
    {
      named: 'no code',
      on,
      breaks: 'code' as const,
      kind: 'missing' as const,
      tamper: tampers.error(({ code: _, ...rest }) => rest),
    },
    {
      named: 'a code as text',
      on,
      breaks: 'integer' as const,
      kind: 'wrong-type' as const,
      tamper: tampers.error(error => ({ ...error, code: '-32601' })),
    },
    {
      named: 'a fraction as code',
      on,
      breaks: 'integer' as const,
      kind: 'wrong-type' as const,
      also: ['reserved' as const],
      tamper: tampers.error(error => ({ ...error, code: -32601.5 })),
    },
    {
      named: 'no message',
      on,
      breaks: 'message' as const,
      kind: 'missing' as const,
      tamper: tampers.error(({ message: _, ...rest }) => rest),
    },
    {
      named: 'an empty message',
      on,
      breaks: 'message' as const,
      kind: 'wrong-value' as const,
      verdict: 'warn' as const,
      tamper: tampers.error(error => ({ ...error, message: '' })),
    },
    {
      named: 'a code of its own in the reserved range',
      on,
      breaks: 'reserved' as const,
      kind: 'wrong-code' as const,
      tamper: tampers.error(error => ({ ...error, code: -32500 })),
    },
    {
      named: 'a stack trace as message',
      on,
      breaks: 'concise' as const,
      kind: 'wrong-value' as const,
      tamper: tampers.error(error => ({ ...error, message: 'Error: x\n    at f (a.js:1:1)' })),
    },
  ]),
})

const isInvented = (code: number): boolean => code >= -32768 && code < -32099 && !STANDARD.has(code)

const isConcise = (text: string): boolean => text.length <= 300 && !text.includes('\n')
