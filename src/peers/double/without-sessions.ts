/**
 * A server without sessions: each request says which version it is in, who asks and what the asker can do, and is refused
 * where it does not (2026-07-28, basic/index#meta and basic/versioning). All messages of one start of a client are one
 * conversation here, so that they can be judged together.
 */
import { mirroredHeaders } from '../../dialects/mirrored-headers.ts'
import { META, textOfHeader } from '../../spec/request-metadata.ts'
import { revisionsOf } from '../../spec/revision.ts'
import { at, codes, isObject, type Json, type JsonObject, textAt } from '../../wire/json-rpc.ts'
import type { FeatureTable } from '../server/features.ts'
import { saidBy, textOf } from '../server/outcome.ts'
import type { ResponseChannel } from '../server/response-channel.ts'
import { type SessionHost, sessionMethods } from '../server/streamable-http.ts'
import type { CallAnswer } from './call.ts'
import type { ServerSetup } from './double.ts'
import type { Era, Head, JsonError } from './era.ts'
import { answerOf, declaredBy, FEATURES, OUR_SERVER, type PlainFeature, toolsOf } from './plain-server.ts'

const VERSIONS = revisionsOf('stateless')

/** Nothing that a client has asked once may keep it from asking again. */
const HINTS = { ttlMs: 0, cacheScope: 'private' }

/** Results that a client may keep for a while (server/utilities/caching). */
const CACHEABLE = [
  'server/discover',
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
]

const discover: PlainFeature = setup => ({
  result: {
    supportedVersions: VERSIONS,
    capabilities: declaredBy(setup),
    ...(setup.instructions === undefined ? {} : { instructions: setup.instructions }),
    ...setup.more,
  },
})

const ofEveryEra = ({ initialize: _i, ping: _p, 'logging/setLevel': _l, ...others }: typeof FEATURES) => others
const { 'resources/subscribe': _s, 'resources/unsubscribe': _u, ...kept } = ofEveryEra(FEATURES)
const OWN_FEATURES: FeatureTable<PlainFeature> = { ...kept, 'server/discover': { run: discover } }

export const withoutSessions: Era = {
  http: { sessionId: () => undefined },
  // Whatever comes first: who sends it may say later who he is.
  opening: (_json, isKnown) => (isKnown ? undefined : {}),
  introduces({ id, params }) {
    const meta = at(params, '_meta')
    if (id === undefined || !isObject(meta)) return undefined
    const clientInfo = meta[META.clientInfo]
    return {
      protocolVersion: meta[META.version] as Json,
      capabilities: meta[META.capabilities] as Json,
      ...(clientInfo === undefined ? {} : { clientInfo }),
    }
  },
  refuses(setup, message, head) {
    if (message.method === 'initialize') return unsupported(at(message, 'params', 'protocolVersion'))
    return differing(setup, message, head) ?? lacking(message) ?? unknownVersion(message)
  },
  async answer(setup, call) {
    const answer = await answerOf(OWN_FEATURES, setup, call)
    return withoutOldCodes(answer)
  },
  complete(setup, method, result) {
    const { _meta: meta } = result
    return {
      resultType: 'complete',
      ...(CACHEABLE.includes(method) ? HINTS : {}),
      ...result,
      _meta: { [META.serverInfo]: setup.serverInfo ?? OUR_SERVER, ...(isObject(meta) ? meta : {}) },
    }
  },
  methods: postOnly,
}

const unsupported = (requested: Json | undefined): JsonError => ({
  code: codes.unsupportedVersion,
  message: 'Unsupported protocol version',
  data: { supported: VERSIONS, ...(requested === undefined ? {} : { requested }) },
})

function unknownVersion(message: JsonObject): JsonError | undefined {
  const version = textAt(message, 'params', '_meta', META.version)
  return VERSIONS.some(known => known === version) ? undefined : unsupported(version)
}

/** What has to stand in `_meta`, in its type. */
function lacking(message: JsonObject): JsonError | undefined {
  const meta = at(message, 'params', '_meta')
  const wrong =
    textAt(meta, META.version) === undefined
      ? META.version
      : isObject(at(meta, META.capabilities))
        ? undefined
        : META.capabilities
  return wrong === undefined ? undefined : { code: codes.invalidParams, message: `_meta has no ${wrong}` }
}

/** The header fields repeat the message (basic/transports/streamable-http#request-metadata). */
function differing(setup: ServerSetup, message: JsonObject, head: Head | undefined): JsonError | undefined {
  if (head === undefined) return undefined
  const toolNamed = (name: string) => toolsOf(setup).find(tool => tool.name === name)
  for (const [name, value] of mirroredHeaders(message, '', toolNamed)) {
    const sent = head(name.toLowerCase())
    // A message that names no version has nothing that a header field could repeat.
    if (value === '' || (sent !== undefined && textOfHeader(sent) === textOfHeader(value))) continue
    const problem = sent === undefined ? 'is missing' : 'differs from the message'
    return { code: codes.headerMismatch, message: `${name} ${problem}` }
  }
  return undefined
}

/** That a resource is not there has no code of its own any more. */
const withoutOldCodes = (answer: CallAnswer): CallAnswer =>
  answer !== 'silence' && 'error' in answer && answer.error.code === codes.resourceNotFound
    ? { error: { ...answer.error, code: codes.invalidParams } }
    : answer

/** There is POST, and nothing to resume or to end; session ids that a client brings mean nothing. */
function postOnly<S>({ admit: _admit, ...host }: SessionHost<S>): ReturnType<typeof sessionMethods> {
  const { POST } = sessionMethods<S>({
    ...host,
    find: exchange => ({ session: host.begin(exchange, isObject(exchange.message) ? exchange.message : {}) }),
    request: (session, exchange, channel) => host.request(session, exchange, withStatus(channel)),
    answersTo: () => undefined,
  })
  return POST === undefined ? {} : { POST }
}

const REFUSED = [codes.headerMismatch, codes.missingClientCapability, codes.unsupportedVersion]

function statusOf(code: number, request: JsonObject): number {
  if (code === codes.methodNotFound) return 404
  return REFUSED.some(known => known === code) || lacking(request) !== undefined ? 400 : 200
}

/** An error that is the whole answer has a status that says so. */
function withStatus(channel: ResponseChannel): ResponseChannel {
  let isOpen = false
  return {
    ...channel,
    say(said, cause, note) {
      isOpen = true
      return channel.say(said, cause, note)
    },
    raw(bytes, note) {
      isOpen = true
      return channel.raw(bytes, note)
    },
    stream() {
      isOpen = true
      return channel.stream()
    },
    respond(outcome, request) {
      const status = !isOpen && 'error' in outcome ? statusOf(outcome.error.code, request) : 200
      if (status === 200) return channel.respond(outcome, request)
      const body = (saidBy(outcome, request) ?? []).map(textOf).join('\n')
      return channel.respond({ http: { status, headers: [['Content-Type', 'application/json']], body } }, request)
    },
  }
}
