import { at, isObject, type Json, type JsonObject, META } from '../../src/suite/client.ts'

/** The version that a request is in, where there is no session. */
export const versionIn = (params: JsonObject): Json | undefined => at(params, '_meta', META.version)

/** The same request in another version. */
export function inVersion(version: string, message: JsonObject): JsonObject {
  const params = isObject(message.params) ? message.params : {}
  const meta = isObject(params._meta) ? params._meta : {}
  return { ...message, params: { ...params, _meta: { ...meta, [META.version]: version } } }
}
