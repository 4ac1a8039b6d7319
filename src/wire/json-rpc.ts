/**
 * JSON values and the JSON-RPC 2.0 message shapes that MCP uses (basic/index#messages).
 * Foreign JSON is read through `at` and the predicates here, never through casts.
 */

export type Json = null | boolean | number | string | Json[] | JsonObject
export type JsonObject = { [member: string]: Json | undefined }

/** A request id as MCP allows it: a string or an integer (basic/index#requests). */
export type RequestId = string | number

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const isRequestId = (value: unknown): value is RequestId => typeof value === 'string' || Number.isInteger(value)

/** Reads a nested member; `undefined` wherever the path leaves the value. Total: never throws. */
export function at(value: unknown, ...path: (string | number)[]): Json | undefined {
  let here = value
  for (const step of path) {
    if (typeof step === 'number') here = Array.isArray(here) ? here[step] : undefined
    else here = isObject(here) && Object.hasOwn(here, step) ? here[step] : undefined
  }
  return here as Json | undefined
}

/** The same, where only a string is of use. */
export function textAt(value: unknown, ...path: (string | number)[]): string | undefined {
  const found = at(value, ...path)
  return typeof found === 'string' ? found : undefined
}

export type Shape = 'request' | 'notification' | 'result' | 'error' | 'batch' | 'malformed'

/**
 * What a parsed message wants to be. Lenient on purpose: a request with a null id is still a
 * request, so that a monitor can say what is wrong with it instead of "malformed".
 */
export function shapeOf(json: Json | undefined): Shape {
  if (Array.isArray(json)) return 'batch'
  if (!isObject(json)) return 'malformed'
  if (Object.hasOwn(json, 'method')) return Object.hasOwn(json, 'id') ? 'request' : 'notification'
  if (Object.hasOwn(json, 'error')) return 'error'
  if (Object.hasOwn(json, 'result')) return 'result'
  return 'malformed'
}

export const isResponse = (shape: Shape): boolean => shape === 'result' || shape === 'error'

/** Ids compare by type and value: 1 is not "1" (traps: ids). */
export const idKey = (id: unknown): string => JSON.stringify(id) ?? 'absent'

export const request = (id: RequestId, method: string, params?: JsonObject): JsonObject => ({
  jsonrpc: '2.0',
  id,
  method,
  ...(params === undefined ? {} : { params }),
})

export const notification = (method: string, params?: JsonObject): JsonObject => ({
  jsonrpc: '2.0',
  method,
  ...(params === undefined ? {} : { params }),
})

export const result = (id: Json, value: JsonObject): JsonObject => ({ jsonrpc: '2.0', id, result: value })

export const failure = (id: Json | undefined, code: number, message: string, data?: Json): JsonObject => ({
  jsonrpc: '2.0',
  ...(id === undefined ? {} : { id }),
  error: { code, message, ...(data === undefined ? {} : { data }) },
})

/** JSON-RPC and MCP error codes by the names of the schema. */
export const codes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  resourceNotFound: -32002,
  headerMismatch: -32020,
  missingClientCapability: -32021,
  unsupportedVersion: -32022,
} as const

/** Deeper JSON is not read: writing it out again would exhaust our own stack. No message needs a tenth of it. */
const MAX_DEPTH = 1_000

export function isTooDeep(text: string): boolean {
  // Each level takes two characters: a short text cannot be deep.
  if (text.length < 2 * MAX_DEPTH) return false
  let depth = 0
  let quoted = false
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i)
    if (code === 0x5c && quoted) i += 1
    else if (code === 0x22) quoted = !quoted
    else if (quoted) continue
    else if (code === 0x5b || code === 0x7b) {
      depth += 1
      if (depth > MAX_DEPTH) return true
    } else if (code === 0x5d || code === 0x7d) depth -= 1
  }
  return false
}

/** Parses text that should be one JSON value; `undefined` is no JSON value, so it means "not JSON". */
export function parseJson(text: string): Json | undefined {
  if (isTooDeep(text)) return undefined
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}
