/** What becomes of a request: an answer, or the reason why there is none. */
import { at, isObject, type Json, type JsonObject, textAt } from '../../wire/json-rpc.ts'

export type Reply =
  | { kind: 'result'; result: JsonObject }
  | { kind: 'error'; code: number | undefined; message: string; data: Json | undefined }
  | { kind: 'failed'; why: Why; message: string }

/**
 * `expired`: the server does not know the session any more. `refused`: the client itself did not send it.
 * `unsupported`: it has no way to do that. `invalid`: the answer cannot be used.
 */
export type Why = 'timeout' | 'cancelled' | 'lost' | 'expired' | 'unauthorized' | 'refused' | 'unsupported' | 'invalid'

export const failed = (why: Why, message: string): Reply => ({ kind: 'failed', why, message })

/** Reads a response message; what it lacks is no reason to fail. */
export function replyIn(message: JsonObject): Reply {
  if (Object.hasOwn(message, 'error')) return errorReply(message.error)
  return isObject(message.result)
    ? { kind: 'result', result: message.result }
    : failed('invalid', 'the result is no object')
}

export function errorReply(error: Json | undefined): Reply {
  const code = at(error, 'code')
  return {
    kind: 'error',
    code: typeof code === 'number' ? code : undefined,
    message: textAt(error, 'message') ?? 'an error without message',
    data: at(error, 'data'),
  }
}

/** What a request of the server is answered with; `afterwards` runs when that has been sent. */
export type Answer =
  | { result: JsonObject; afterwards?: () => void }
  | { error: { code: number; message: string; data?: Json } }

export const refusal = (code: number, message: string): Answer => ({ error: { code, message } })
