/** Messages for probes and faults, so that no suite writes JSON-RPC by hand. */
import { failure, type Json, type JsonObject, result } from '../wire/json-rpc.ts'

export { failure, notification, request } from '../wire/json-rpc.ts'

/** The response with that result. */
export const response = (id: Json, value: JsonObject): JsonObject => result(id, value)

/** Makes the error that answers a request: for policies such as `onUnknownMethod`, and for tampers. */
export const refusal =
  (code: number, message = 'Refused') =>
  ({ id }: JsonObject): JsonObject =>
    failure(id as Json, code, message)

/** Makes the result that answers a request. */
export const success =
  (value: JsonObject = {}) =>
  ({ id }: JsonObject): JsonObject =>
    result(id as Json, value)
