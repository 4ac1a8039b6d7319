/** The client and a server without sessions: each request says all there is to know (2026-07-28, basic/index#statelessness). */
import { META } from '../../../spec/request-metadata.ts'
import { at, codes, isObject, type Json, type JsonObject } from '../../../wire/json-rpc.ts'
import { createIncoming } from '../incoming.ts'
import type { OpenLink } from '../link.ts'
import { failed, type Reply } from '../reply.ts'
import { createRequests, type RequestOptions } from '../requests.ts'
import { CLOSED, eventsFor, type Session, type SessionContext } from '../session.ts'

/** What is taken for granted of a server that was not asked. */
const EVERYTHING: JsonObject = { tools: {}, prompts: {}, resources: {}, completions: {} }

export function createModernSession(context: SessionContext, openLink: OpenLink): Session {
  const { policies, settings, tested = '', crash, onNotification } = context
  const { modern } = policies
  const agreement = {
    version: tested,
    declared: modern.capabilities(policies.capabilities(settings, tested), settings),
    serverCapabilities: EVERYTHING,
    serverInfo: undefined as Json | undefined,
  }
  let closing = false
  const sayRaw = (message: Json, cause?: JsonObject): Promise<void> => link.send(message, cause).catch(crash)
  const send = (message: JsonObject): Promise<void> => sayRaw(withMeta(context, agreement, message))
  const requests = createRequests(context, send)
  const answers = {
    async answer(message: JsonObject) {
      const said = modern.onRequest(message)
      if (said !== undefined) await sayRaw(said, message)
    },
    cancel() {},
  }
  const incoming = createIncoming({ policies, requests, answers, agreement, send: sayRaw, onNotification })
  const link = openLink(eventsFor(context, requests, incoming, () => closing))
  /** Sent anew where the server wants another version (basic/versioning#protocol-version-negotiation). */
  const request = async (
    method: string,
    params: JsonObject | undefined,
    options?: RequestOptions,
    retries = modern.maxRetries,
  ): Promise<Reply> => {
    const reply = await requests.request(method, params, options)
    const version = retries > 0 ? versionAfter(context, reply) : undefined
    if (version === undefined) return usable(context, reply)
    agreement.version = version
    return request(method, params, options, retries - 1)
  }
  const discover = async (): Promise<Reply> => {
    const reply = await request('server/discover', undefined, { timeoutMs: policies.initializeTimeoutMs })
    if (reply.kind !== 'result') return modern.fallsBack(reply) ? initialize() : reply
    const { supportedVersions, capabilities } = reply.result
    const version = modern.chooses(Array.isArray(supportedVersions) ? supportedVersions : [])
    if (version === undefined) return failed('invalid', 'the server speaks no version that this client knows')
    agreement.version = version
    agreement.serverCapabilities = isObject(capabilities) ? capabilities : {}
    agreement.serverInfo = at(reply.result, '_meta', META.serverInfo)
    return reply
  }
  const initialize = (): Promise<Reply> => {
    const protocolVersion = policies.protocolVersion(undefined)
    const clientInfo = policies.clientInfo(protocolVersion)
    return requests.request('initialize', { protocolVersion, capabilities: agreement.declared, clientInfo })
  }
  const end = (reply: Reply): void => {
    closing = true
    link.destroy()
    requests.endAll(reply)
  }
  return {
    get version() {
      return agreement.version
    },
    get serverCapabilities() {
      return agreement.serverCapabilities
    },
    get serverInfo() {
      return agreement.serverInfo
    },
    sessionId: undefined,
    open: async () => (modern.discovers ? discover() : { kind: 'result', result: {} }),
    request,
    send: message => send(message),
    async close() {
      closing = true
      await link.close()
      requests.endAll(CLOSED)
    },
    destroy: () => end(CLOSED),
    expire: () => end(CLOSED),
  }
}

/** A request with what it has to say about itself. */
function withMeta(
  { policies }: SessionContext,
  { version, declared }: { version: string; declared: JsonObject },
  message: JsonObject,
): JsonObject {
  if (message.id === undefined || message.method === 'initialize') return message
  const params = isObject(message.params) ? message.params : {}
  const said = policies.modern.meta({ version, capabilities: declared, clientInfo: policies.clientInfo(version) })
  return { ...message, params: { ...params, _meta: { ...(isObject(params._meta) ? params._meta : {}), ...said } } }
}

function versionAfter({ policies }: SessionContext, reply: Reply): string | undefined {
  if (reply.kind !== 'error' || reply.code !== codes.unsupportedVersion) return undefined
  const supported = at(reply.data, 'supported')
  return policies.modern.chooses(Array.isArray(supported) ? supported : [])
}

function usable({ policies }: SessionContext, reply: Reply): Reply {
  if (reply.kind !== 'result' || policies.modern.knowsResultType(reply.result.resultType)) return reply
  return failed('invalid', `the result is of an unknown type: ${JSON.stringify(reply.result.resultType)}`)
}
