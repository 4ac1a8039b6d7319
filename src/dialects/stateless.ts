/**
 * Revision 2026-07-28: nothing is opened. Each request says in `_meta` which version it is in, who
 * asks and what the asker can do (basic/index#meta); over HTTP some of it is repeated in header
 * fields (basic/transports/streamable-http#request-metadata). `server/discover` asks what there is.
 */

import { META } from '../spec/request-metadata.ts'
import { at, isObject, type Json, type JsonObject, shapeOf, textAt } from '../wire/json-rpc.ts'
import { type Conversation, type Family, OUR_CLIENT, type ServerDescription, type Terms } from './family.ts'
import { inputsIn } from './input-required.ts'
import { mirroredHeaders } from './mirrored-headers.ts'

export const stateless: Family = {
  name: 'stateless',
  barriers: ['server/discover', 'tools/list', 'x-conformance/liveness'],
  answersBy: 'retries',
  alwaysAnswered: {},
  converse,
}

function converse({ revision, via, hello }: Terms): Conversation {
  const ours: JsonObject = {
    [META.version]: hello.protocolVersion ?? revision,
    [META.clientInfo]: hello.clientInfo ?? OUR_CLIENT,
    [META.capabilities]: hello.capabilities ?? {},
  }
  const tools = new Map<string, Json>()
  let description: ServerDescription | undefined
  return {
    family: stateless,
    revision,
    opening: { method: 'server/discover', params: { _meta: ours } },
    agree(result) {
      description = describe(result, hello.protocolVersion ?? revision)
    },
    get description() {
      return description
    },
    sessionId: undefined,
    confirmation: undefined,
    decorate: message => (shapeOf(message) === 'request' ? withMeta(message, ours) : message),
    headers: message => mirroredHeaders(message(), hello.protocolVersion ?? revision, name => tools.get(name)),
    learn(message) {
      const listed = at(message, 'result', 'tools')
      for (const tool of Array.isArray(listed) ? listed : []) {
        const name = textAt(tool, 'name')
        if (name !== undefined) tools.set(name, tool)
      }
    },
    cancel: (id, reason) =>
      via === 'http'
        ? { by: 'closing' }
        : {
            by: 'notification',
            method: 'notifications/cancelled',
            params: { requestId: id, ...(reason === undefined ? {} : { reason }) },
          },
    resume: () => undefined,
    watch: filter => ({
      by: 'request',
      call: { method: 'subscriptions/listen', params: { notifications: { ...filter } } },
    }),
    inputsOf: inputsIn,
    farewell: undefined,
  }
}

/** What the caller has put there stays, so that a scenario can put a fault there. */
function withMeta(message: JsonObject, ours: JsonObject): JsonObject {
  const params = message.params
  // Params that are no object are a fault of their own.
  if (params !== undefined && !isObject(params)) return message
  const meta = at(params, '_meta')
  if (meta !== undefined && !isObject(meta)) return message
  return { ...message, params: { ...params, _meta: { ...ours, ...meta } } }
}

function describe(result: Json, asked: string): ServerDescription {
  const listed = at(result, 'supportedVersions')
  const versions = (Array.isArray(listed) ? listed : []).filter(version => typeof version === 'string')
  const capabilities = at(result, 'capabilities')
  const serverInfo = at(result, '_meta', META.serverInfo)
  const instructions = textAt(result, 'instructions')
  return {
    // It has answered in that version, whatever its list says.
    protocolVersion: asked,
    versions,
    capabilities: isObject(capabilities) ? capabilities : {},
    ...(serverInfo === undefined ? {} : { serverInfo }),
    ...(instructions === undefined ? {} : { instructions }),
  }
}
