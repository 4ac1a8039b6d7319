/**
 * Streamable HTTP with sessions (basic/transports#streamable-http): what POST, GET and DELETE mean. Who a session belongs to
 * and what is refused, its host decides. A server without sessions has one handler of its own on the same endpoint.
 */
import type { Body } from '../../wire/http-server.ts'
import { isObject, isResponse, type Json, type JsonObject, shapeOf } from '../../wire/json-rpc.ts'
import type { Exchange, HttpAnswers, Methods } from './endpoint.ts'
import type { Connection, ServerStream } from './event-stream.ts'
import type { Refusal } from './outcome.ts'
import { createPostChannel, type PostOptions, type ResponseChannel, STREAM_TYPE } from './response-channel.ts'
import type { Streams } from './streams.ts'

export interface Found<S> {
  session: S
}

/** What a server with sessions decides. */
export interface SessionHost<S> {
  answers: HttpAnswers
  /** The message in a body; what is none is answered here. */
  read(exchange: Exchange, body: Body): Json | undefined
  /** `initialize` has come: the new session. */
  begin(exchange: Exchange, message: JsonObject): S
  /** The session that a request belongs to. */
  find(exchange: Exchange): Found<S> | Refusal
  /** Refuses a request in a session, by its head. */
  admit?(exchange: Exchange, session: S): Refusal | undefined
  streams(session: S): Streams
  mode(message: Json): PostOptions['mode']
  contentType(): string
  channel: Pick<PostOptions, 'deliver' | 'rewrite' | 'hears'>
  /** A body with requests in it. */
  request(session: S, exchange: Exchange, channel: ResponseChannel): void | Promise<void>
  /** A body of notifications and responses: what it is answered with. */
  accept(session: S, exchange: Exchange): Promise<Answered> | Answered
  /** A body that is no message. */
  invalid(session: S, exchange: Exchange): void
  /** How many answers a batch waits for; undefined where it is refused as a whole. */
  answersTo(session: S, batch: Json[]): number | undefined
  /** The stream of a GET; a refusal, where there is none. */
  refuseGet(exchange: Exchange, session: S): Refusal | undefined
  resumed?(exchange: Exchange, stream: ServerStream | 'over'): void
  opened?(session: S): void
  /** DELETE: the status of the answer. */
  remove(session: S, exchange: Exchange): number
}

export interface Answered {
  status: number
  body: string
}

export const isOpening = (message: Json | undefined): message is JsonObject =>
  isObject(message) && message.method === 'initialize' && message.id !== undefined

export function sessionMethods<S>(host: SessionHost<S>): Methods {
  const { answers } = host
  const inSession = (serve: (exchange: Exchange, session: S) => void | Promise<void>) => (exchange: Exchange) => {
    const found = host.find(exchange)
    if (!('session' in found)) return answers.refuse(exchange, found)
    const refused = host.admit?.(exchange, found.session)
    return refused === undefined ? serve(exchange, found.session) : answers.refuse(exchange, refused)
  }
  const serve = inSession((exchange, session) => post(host, exchange, session))
  return {
    async POST(exchange) {
      const message = host.read(exchange, await exchange.body())
      if (message === undefined) return
      exchange.message = message
      if (isOpening(message)) await post(host, exchange, host.begin(exchange, message))
      else await serve(exchange)
    },
    GET: inSession((exchange, session) => get(host, exchange, session)),
    DELETE: inSession((exchange, session) => answers.answer(exchange, host.remove(session, exchange), [], '')),
  }
}

async function post<S>(host: SessionHost<S>, exchange: Exchange, session: S): Promise<void> {
  const message = exchange.message as Json
  const expected = expectedIn(host, session, message)
  if (expected === undefined) return host.invalid(session, exchange)
  if (expected === 0) {
    const { status, body } = await host.accept(session, exchange)
    return host.answers.answer(exchange, status, body === '' ? [] : [['Content-Type', 'application/json']], body)
  }
  const channel = createPostChannel({
    ...host.channel,
    exchange,
    answers: host.answers,
    expected,
    contentType: host.contentType(),
    mode: host.mode(message),
    openStream: connection => host.streams(session).open('post', connection),
  })
  await host.request(session, exchange, channel)
}

function expectedIn<S>(host: SessionHost<S>, session: S, message: Json): number | undefined {
  const shape = shapeOf(message)
  if (shape === 'batch') return host.answersTo(session, message as Json[])
  if (shape === 'request') return 1
  return shape === 'notification' || isResponse(shape) ? 0 : undefined
}

function get<S>(host: SessionHost<S>, exchange: Exchange, session: S): void {
  const refused = host.refuseGet(exchange, session)
  if (refused !== undefined) {
    host.answers.refuse(exchange, refused)
    return
  }
  const connection = host.answers.open(exchange, 200, [['Content-Type', STREAM_TYPE]])
  if (connection === undefined) return
  const last = exchange.header('last-event-id')
  const resumed = last === undefined ? undefined : resume(host, exchange, session, connection, last)
  if (resumed !== undefined) return
  host.streams(session).open('get', connection)
  host.opened?.(session)
}

function resume<S>(
  host: SessionHost<S>,
  exchange: Exchange,
  session: S,
  connection: Connection,
  lastEventId: string,
): ServerStream | 'over' | undefined {
  const stream = host.streams(session).resume(connection, lastEventId)
  if (stream !== undefined) host.resumed?.(exchange, stream)
  return stream
}
