/** The reference server behind one HTTP endpoint (basic/transports#streamable-http). */

import { createCollector } from '../../peers/server/collector.ts'
import { connectionOf } from '../../peers/server/connection.ts'
import { type Exchange, type HttpAnswers, type Methods, serveEndpoint } from '../../peers/server/endpoint.ts'
import type { Refusal } from '../../peers/server/outcome.ts'
import { createSessions, type Sessions } from '../../peers/server/sessions.ts'
import { type Answered, type Found, type SessionHost, sessionMethods } from '../../peers/server/streamable-http.ts'
import { createStreams, type Streams } from '../../peers/server/streams.ts'
import { failure, type Json, type JsonObject } from '../../wire/json-rpc.ts'
import type { HeaderList } from '../../wire/log.ts'
import type { Outgoing, Tamper } from '../outgoing.ts'
import type { Policies } from '../policies.ts'
import { deliveryOf, JSON_TYPE, readMessage, refuseBody, rewrite } from './bodies.ts'
import { createSession, type ReferenceSession } from './session.ts'
import { behaviourOf } from './streams.ts'
import { createTaskStore } from './task-store.ts'

export interface HttpServer {
  readonly url: string
  close(): Promise<void>
}

interface Held {
  session: ReferenceSession
  streams: Streams
}

/** Bodies beyond this are refused with 413. */
const MAX_BODY_BYTES = 8 * 1024 * 1024
const PATH = '/mcp'

/** What is served at the endpoint. */
export type MethodsOver = (policies: Policies, tamper: Tamper, answers: HttpAnswers) => Methods

export const sessionsOver: MethodsOver = (policies, tamper, answers) =>
  sessionMethods(hostOf(policies, tamper, answers))

export async function serveHttp(
  policies: Policies,
  tamper: Tamper,
  port = 0,
  methodsOver: MethodsOver = sessionsOver,
): Promise<HttpServer> {
  const answers = answersOf(policies, tamper)
  const methods = methodsOver(policies, tamper, answers)
  const server = await serveEndpoint({
    port,
    host: policies.bind,
    maxBodyBytes: MAX_BODY_BYTES,
    answers,
    route: path => (path === PATH ? methods : undefined),
    guard: exchange => guard(policies, exchange),
    onFailure(problem, request, response) {
      if (request.errored !== null) policies.onBrokenRequest()
      if (!response.headersSent) response.writeHead(500)
      response.end(String(problem))
    },
    onBroken(socket) {
      policies.onBrokenRequest()
      if (socket.writable) socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n')
    },
  })
  return { url: `${server.origin}${PATH}`, close: () => server.close() }
}

function guard(policies: Policies, { method, header }: Exchange): Refusal | undefined {
  const refused =
    policies.host(header('host')) ??
    policies.origin(header('origin')) ??
    (method === 'POST' || method === 'GET' ? policies.accept(method, header('accept')) : undefined) ??
    (method === 'POST' ? policies.contentType(header('content-type')) : undefined)
  if (refused !== undefined) return refused
  const sender = policies.identify(header('authorization'))
  return 'status' in sender ? { headers: [['WWW-Authenticate', 'Bearer']], ...sender } : undefined
}

function userOf(policies: Policies, exchange: Exchange): string | undefined {
  const sender = policies.identify(exchange.header('authorization'))
  return 'status' in sender ? undefined : sender.user
}

/** The reference writes what the tamper makes of it. */
function answersOf(policies: Policies, tamper: Tamper): HttpAnswers {
  const { encoding } = policies
  const tampered = (exchange: Exchange, status: number, headers: HeaderList, body: string) => {
    const { method, message } = exchange
    const request = { method, headers: flat(exchange), message }
    const own = Object.fromEntries(headers)
    return tamper({ layer: 'http', request, status, headers: own, body })[0] as
      | Extract<Outgoing, { layer: 'http' }>
      | undefined
  }
  const answer: HttpAnswers['answer'] = (exchange, status, headers, body) => {
    const out = tampered(exchange, status, headers, body)
    if (out === undefined) exchange.response.destroy()
    else exchange.response.writeHead(out.status, out.headers).end(out.body, encoding)
  }
  return {
    open(exchange, status, headers) {
      const out = tampered(exchange, status, [...headers, ['Cache-Control', 'no-cache, no-transform']], '')
      if (out === undefined) {
        exchange.response.destroy()
        return undefined
      }
      exchange.response.writeHead(out.status, out.headers)
      return connectionOf(exchange.response, { encoding })
    },
    answer,
    refuse: (exchange, { status, reason, headers = [] }) =>
      answer(exchange, status, [...JSON_TYPE, ...headers], JSON.stringify(failure(undefined, -32000, reason))),
  }
}

const flat = ({ request }: Exchange): Record<string, string> =>
  Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))

function hostOf(policies: Policies, tamper: Tamper, answers: HttpAnswers): SessionHost<Held> {
  const { create, sessions, anonymous } = createHeld(policies, tamper)
  return {
    answers,
    read: (exchange, body) => readMessage(policies, answers, exchange, body),
    begin(exchange) {
      const id = policies.sessionIds()
      if (id === undefined) return owned(policies, exchange, anonymous)
      exchange.own.push(['MCP-Session-Id', id])
      return owned(policies, exchange, create(id))
    },
    find: exchange => find(policies, sessions, anonymous, exchange),
    admit: (exchange, { session }) =>
      policies.versionHeader(exchange.header('mcp-protocol-version'), session.view, exchange.method),
    streams: ({ streams }) => streams,
    mode: message => (policies.answerBy(message as JsonObject) === 'json' ? 'json' : 'stream'),
    contentType: () => 'application/json',
    channel: {
      deliver: deliveryOf(tamper),
      rewrite: rewrite(tamper),
      hears: () => policies.onDisconnect() !== 'cancel',
    },
    request: ({ session }, { message }, channel) => session.receive(message as Json, channel),
    accept: ({ session }, { message }) => accept(policies, session, message as JsonObject),
    invalid: (_held, exchange) => refuseBody(policies, answers, exchange, policies.onInvalid(exchange.message as Json)),
    // Its answers come as one.
    answersTo: ({ session }) => (policies.batch(session.view.version) === 'answer' ? 1 : undefined),
    refuseGet: (_exchange, { session, streams }) =>
      policies.get(session.view) ?? (streams.gets.length > 0 ? policies.secondGet(session.view) : undefined),
    remove({ session, streams }) {
      const { ends, status, leavesStreams } = policies.deletion(session.view)
      if (!ends) return status
      session.view.ended = true
      if (leavesStreams !== true) streams.endAll()
      return status
    },
  }
}

/** Who opens a session owns it, where the server asks for that. */
function owned(policies: Policies, exchange: Exchange, held: Held): Held {
  const user = userOf(policies, exchange)
  if (user !== undefined) held.session.view.user = user
  return held
}

/** A notification or a response: nothing is said to it, unless it was none. */
async function accept(policies: Policies, session: ReferenceSession, message: JsonObject): Promise<Answered> {
  const replies = createCollector()
  await session.receive(message, replies)
  const [first] = replies.messages
  return first === undefined ? policies.notificationStatus(message) : { status: 400, body: JSON.stringify(first) }
}

function createHeld(policies: Policies, tamper: Tamper) {
  const store = policies.store()
  const sessions: Sessions<Held> = createSessions()
  const tasks = createTaskStore(policies.tasks)
  const behaviour = behaviourOf(policies, tamper)
  let streamCount = 0
  const create = (id: string): Held => {
    const streams = createStreams({
      session: id,
      behaviour,
      store,
      nextId() {
        streamCount += 1
        return `stream${streamCount}`
      },
      route: open => policies.route(open),
      deliver: deliveryOf(tamper),
      holds: true,
    })
    const held = { streams, session: createSession(policies, id, { say: streams.announce }, tasks) }
    sessions.add(id, held)
    return held
  }
  // Without session ids everybody shares this one.
  return { create, sessions, anonymous: create('') }
}

function find(
  policies: Policies,
  sessions: Sessions<Held>,
  anonymous: Held,
  exchange: Exchange,
): Found<Held> | Refusal {
  const { method, message } = exchange
  const id = exchange.header('mcp-session-id')
  if (id === undefined) return policies.missingSession(message, method) ?? { session: anonymous }
  const held = sessions.withId(id)
  if (held === undefined) return policies.unknownSession(id, method) ?? { session: anonymous }
  const foreign = held.session.view.user === userOf(policies, exchange) ? undefined : policies.foreignSession()
  if (foreign !== undefined) return foreign
  return (held.session.view.ended ? policies.endedSession(id, method) : undefined) ?? { session: held }
}
