/** The messages of a client, by what they are. */
import { isObject, isRequestId, type Json, type JsonObject, type Shape, shapeOf } from '../../wire/json-rpc.ts'

/** What a server does with each kind of message. */
export interface Receiver {
  /** Whether an object is a message at all; the answer to one that is none is up to `invalid`. */
  isValid(message: JsonObject, shape: Shape): boolean
  request(message: JsonObject): void | Promise<void>
  notification(message: JsonObject): void
  response(message: JsonObject): void
  batch(parts: readonly Json[]): void | Promise<void>
  invalid(json: Json): void
}

export function receive(json: Json, receiver: Receiver): void | Promise<void> {
  const shape = shapeOf(json)
  if (Array.isArray(json)) return receiver.batch(json)
  if (!isObject(json) || !receiver.isValid(json, shape)) return receiver.invalid(json)
  if (shape === 'request') return receiver.request(json)
  if (shape === 'notification') return receiver.notification(json)
  return receiver.response(json)
}

/** Whether it is a JSON-RPC 2.0 message as MCP allows it (basic/index#messages). */
export function isValidMessage(message: JsonObject, shape: Shape): boolean {
  if (message.jsonrpc !== '2.0') return false
  if (Object.hasOwn(message, 'params') && !isObject(message.params)) return false
  if (shape === 'request') return typeof message.method === 'string' && isRequestId(message.id)
  if (shape === 'notification') return typeof message.method === 'string'
  return shape === 'result' || shape === 'error'
}
