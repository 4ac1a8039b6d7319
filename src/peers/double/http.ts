/** The double behind an HTTP endpoint of this machine (basic/transports#streamable-http). */
import { STATEFUL } from '../../spec/revision.ts'
import { headerValue } from '../../wire/headers.ts'
import { isObject, isResponse, type Json, type JsonObject, parseJson, shapeOf } from '../../wire/json-rpc.ts'
import type { FrameContext, WireLog } from '../../wire/log.ts'
import { dataOf, formatEvent } from '../../wire/sse-writer.ts'
import { type Exchange, type HttpAnswers, serveEndpoint } from '../server/endpoint.ts'
import { createEventStore, type EventStore } from '../server/event-store.ts'
import type { StreamBehaviour } from '../server/event-stream.ts'
import { guardAccept, guardContentType, guardHost, guardOrigin, guardVersion } from '../server/guards.ts'
import { type Refusal, refuse } from '../server/outcome.ts'
import type { Found, SessionHost } from '../server/streamable-http.ts'
import { createStreams, type Delivery, type Streams } from '../server/streams.ts'
import { type Arrivals, createArrivals } from './arrivals.ts'
import type { HttpBehaviour, HttpSeen } from './behaviour.ts'
import type { OpenConversation } from './conversation.ts'
import type { DoubleCore } from './core.ts'
import { createLoggedAnswers } from './logged-http.ts'
import { scriptStreamOf } from './script-stream.ts'

/** Bodies beyond this are not read to their end. */
const MAX_BODY_BYTES = 16 * 1024 * 1024

export interface HttpDouble {
  readonly url: string
  readonly requests: readonly HttpSeen[]
  close(): Promise<void>
}

/** What the parts of the HTTP side share. */
interface Side {
  core: DoubleCore
  http: HttpBehaviour
  arrivals: Arrivals
  answers: HttpAnswers
  store: EventStore
  streams: Map<OpenConversation, Streams>
}

export async function serveHttpDouble(
  core: DoubleCore,
  http: HttpBehaviour,
  log: WireLog,
  base: FrameContext,
): Promise<HttpDouble> {
  const streams = new Map<OpenConversation, Streams>()
  const store = createEventStore()
  const begin = createBeginning({ core, http, base, streams, store })
  const arrivals = createArrivals({ core, http, log, base, begin, find: headers => conversationOf(core, headers) })
  const answers = createLoggedAnswers({
    log,
    http,
    contextOf: exchange => arrivals.of(exchange).context,
    onRefused: exchange => arrivals.note(exchange),
  })
  const methods = core.era.methods(hostOf({ core, http, arrivals, answers, store, streams }))
  const server = await serveEndpoint({
    // A client that is slow to use a connection again must not meet one that we are closing.
    keepAliveMs: 60_000,
    maxBodyBytes: MAX_BODY_BYTES,
    answers,
    route: path => (path === http.path ? methods : undefined),
    arrive: exchange => arrivals.arrive(exchange),
    guard: exchange => (core.setup.strict === true ? guard(exchange) : undefined),
  })
  return { url: `${server.origin}${http.path}`, requests: arrivals.requests, close: () => server.close() }
}

const guard = ({ method, header }: Exchange): Refusal | undefined =>
  guardHost(header('host')) ??
  guardOrigin(header('origin')) ??
  (method === 'POST' || method === 'GET' ? guardAccept(method, header('accept')) : undefined) ??
  (method === 'POST' ? guardContentType(header('content-type')) : undefined)

/** By its session id; else the newest one, which then lacks it, unless the client has ended that. */
const conversationOf = ({ sessions }: DoubleCore, headers: Exchange['headers']): OpenConversation | undefined => {
  const id = headerValue(headers, 'mcp-session-id')
  return (id === undefined ? undefined : sessions.withId(id)) ?? sessions.newest()
}

/** A function that begins a conversation, and makes its streams. */
function createBeginning(side: Pick<Side, 'core' | 'http' | 'store' | 'streams'> & { base: FrameContext }) {
  const { core, http, base, store } = side
  const behaviour = behaviourOf(http)
  let count = 0
  const nextId = (): string => {
    count += 1
    return String(count)
  }
  return (hello: JsonObject): OpenConversation => {
    const session = `${base.session}.${core.sessions.all.length + 1}`
    const streams = createStreams({
      session,
      behaviour,
      store,
      nextId,
      route: open => open.filter(stream => stream.kind === 'get').slice(0, 1),
      deliver: deliveryOf(http),
      holds: false,
    })
    const conversation = core.begin({
      session,
      sessionId: http.sessionId(),
      context: { ...base, session },
      hello,
      version: core.versionFor(hello),
      speaker: { say: streams.announce, raw: bytes => streams.gets[0]?.raw(bytes) ?? false },
      listening: () => streams.gets.length > 0,
      listened: async withinMs => (await core.watch.found(() => streams.gets[0], withinMs)) !== undefined,
      hangUp: async () => {
        for (const stream of streams.gets) await stream.close()
      },
      ended: () => core.sessions.isEnded(conversation),
    })
    side.streams.set(conversation, streams)
    return conversation
  }
}

const behaviourOf = (http: HttpBehaviour): StreamBehaviour => ({
  eventId: ({ id }, count) => (http.ids ? http.eventId(Number(id), count) : undefined),
  priming() {
    if (!http.primes) return undefined
    return { data: '', ...(http.retryMs === undefined ? {} : { retry: http.retryMs }) }
  },
  format: fields => formatEvent(fields, http.layout),
  carry: message => ({ data: dataOf(JSON.stringify(message), http.layout) }),
})

const deliveryOf =
  (http: HttpBehaviour): Delivery =>
  (stream, said, _cause, note) => {
    stream.log?.message(said, note)
    if ('message' in said) return stream.message(said.message, note)
    const isJson = parseJson(said.text) !== undefined
    return stream.event({ data: isJson ? dataOf(said.text, http.layout) : said.text }, note)
  }

function hostOf(side: Side): SessionHost<OpenConversation> {
  const { core, http, arrivals, answers } = side
  const streamsOf = (conversation: OpenConversation): Streams => side.streams.get(conversation) as Streams
  return {
    answers,
    read(exchange) {
      const { frame } = arrivals.of(exchange)
      if (frame?.json === undefined) answers.refuse(exchange, refuse(400, 'not JSON'))
      return frame?.json
    },
    begin(exchange) {
      const conversation = arrivals.of(exchange).conversation as OpenConversation
      if (conversation.sessionId !== undefined) exchange.own.push(['MCP-Session-Id', conversation.sessionId])
      return conversation
    },
    find: exchange => find(side, exchange),
    admit: ({ header }) =>
      core.setup.strict === true ? guardVersion(header('mcp-protocol-version'), STATEFUL) : undefined,
    streams: streamsOf,
    mode: message => (isObject(message) && http.answerBy(message) === 'json' ? 'either' : 'late stream'),
    contentType: () => http.contentType,
    channel: { deliver: deliveryOf(http) },
    request(conversation, exchange, channel) {
      arrivals.receive(exchange, conversation, channel)
    },
    accept(conversation, exchange) {
      arrivals.receive(exchange, conversation)
      return { status: http.acceptedStatus, body: '' }
    },
    invalid(conversation, exchange) {
      const said = arrivals.receive(exchange, conversation)
      const body = said.length === 0 ? '' : JSON.stringify(said[0])
      answers.answer(exchange, 400, body === '' ? [] : [['Content-Type', 'application/json']], body)
    },
    answersTo: (conversation, batch) => expectedIn(core, conversation, batch),
    refuseGet(exchange, conversation) {
      const last = exchange.header('last-event-id')
      const isKnown = last !== undefined && side.store.after(last, conversation.session) !== undefined
      return isKnown || http.get === 'stream' ? undefined : refuse(http.get, '')
    },
    resumed(exchange, stream) {
      const [frame] = arrivals.of(exchange).frames
      const lastEventId = exchange.header('last-event-id')
      if (stream !== 'over' && frame !== undefined && lastEventId !== undefined)
        scriptStreamOf(stream).come({ lastEventId, at: frame.at, frame })
    },
    opened: () => core.watch.stirred(),
    remove(conversation) {
      if (http.deletion >= 300) return http.deletion
      core.sessions.end(conversation)
      // Otherwise they stay, so that it is seen whether the client closes them.
      if (core.setup.strict === true) streamsOf(conversation).endAll()
      return http.deletion
    },
  }
}

/** The requests in a batch; undefined where there is something else in it, or the setup wants no batches. */
function expectedIn({ setup }: DoubleCore, { version }: OpenConversation, batch: Json[]): number | undefined {
  if (setup.strict === true && (version !== '2025-03-26' || batch.length === 0)) return undefined
  const shapes = batch.map(shapeOf)
  const asked = shapes.filter(shape => shape === 'request').length
  const isKnown = shapes.every(shape => isResponse(shape) || shape === 'notification')
  return asked > 0 || isKnown ? asked : undefined
}

function find({ core, http, arrivals }: Side, exchange: Exchange): Found<OpenConversation> | Refusal {
  const { conversation } = arrivals.of(exchange)
  const id = headerValue(exchange.headers, 'mcp-session-id')
  if (id !== undefined) {
    const named = core.sessions.withId(id)
    if (named === undefined || named.forgotten || core.sessions.isEnded(named))
      return refuse(http.unknownSession, 'Session not found')
  }
  if (conversation !== undefined) {
    const lacks = core.setup.strict === true && id === undefined && conversation.sessionId !== undefined
    return lacks ? refuse(400, 'MCP-Session-Id is missing') : { session: conversation }
  }
  // Something came in front of any `initialize`: it is seen, and refused.
  const parts = Array.isArray(exchange.message) ? exchange.message : [exchange.message]
  const asks = exchange.method !== 'POST' || parts.some(part => shapeOf(part) === 'request')
  return asks ? refuse(400, 'not initialized') : refuse(http.acceptedStatus, '')
}
