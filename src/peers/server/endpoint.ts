/**
 * An HTTP endpoint: which route a request takes, who guards it, and how it is refused. It knows no session: what is served
 * at a path is a table of handlers, one a method.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { headerPairs } from '../../wire/headers.ts'
import { type Body, type HttpServer, type HttpServerOptions, listen, readBody } from '../../wire/http-server.ts'
import type { Json } from '../../wire/json-rpc.ts'
import type { HeaderList } from '../../wire/log.ts'
import type { Connection } from './event-stream.ts'
import { type Refusal, refuse } from './outcome.ts'

/** One HTTP request with everything that answers it. */
export interface Exchange {
  /** the first is 1 */
  readonly number: number
  readonly method: string
  /** path and query */
  readonly target: string
  readonly path: string
  readonly headers: HeaderList
  /** The value of a field, all of its repetitions joined. */
  header(name: string): string | undefined
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Read when it is asked for first. */
  body(): Promise<Body>
  /** the body as JSON, once somebody has parsed it */
  message?: Json
  /** header fields that go with the answer to what is in the body, as a new session's id does */
  readonly own: HeaderList
}

/** How a server writes its answers; this is where they are logged, or rewritten. */
export interface HttpAnswers {
  /** The head of an answer whose body comes in pieces; undefined where it was broken off instead. */
  open(exchange: Exchange, status: number, headers: HeaderList): Connection | undefined
  answer(exchange: Exchange, status: number, headers: HeaderList, body: string): void
  refuse(exchange: Exchange, refusal: Refusal): void
}

export type Handler = (exchange: Exchange) => void | Promise<void>
/** What is served at a path, by HTTP method. */
export type Methods = Readonly<Record<string, Handler>>

export interface EndpointOptions extends Omit<HttpServerOptions, 'handle'> {
  maxBodyBytes: number
  answers: HttpAnswers
  /** What is served at a path, if anything. */
  route(path: string): Methods | undefined
  /** Sees each request first; true: it is answered. */
  arrive?(exchange: Exchange): boolean | Promise<boolean>
  /** Refuses a request by its head. */
  guard?(exchange: Exchange): Refusal | undefined
}

export function serveEndpoint(options: EndpointOptions): Promise<HttpServer> {
  let exchanges = 0
  return listen({
    ...options,
    handle(request, response) {
      exchanges += 1
      return handle(exchangeOf(exchanges, request, response, options.maxBodyBytes), options)
    },
  })
}

async function handle(exchange: Exchange, options: EndpointOptions): Promise<void> {
  const { answers } = options
  if ((await options.arrive?.(exchange)) === true) return
  const methods = options.route(exchange.path)
  if (methods === undefined) return answers.refuse(exchange, refuse(404, 'Not Found'))
  const refused = options.guard?.(exchange)
  if (refused !== undefined) return answers.refuse(exchange, refused)
  const handler = Object.hasOwn(methods, exchange.method) ? methods[exchange.method] : undefined
  if (handler !== undefined) return handler(exchange)
  answers.refuse(exchange, refuse(405, 'Method Not Allowed', [['Allow', Object.keys(methods).join(', ')]]))
}

function exchangeOf(
  number: number,
  request: IncomingMessage,
  response: ServerResponse,
  maxBodyBytes: number,
): Exchange {
  const { method = '', url: target = '/', rawHeaders } = request
  const headers = headerPairs(rawHeaders)
  let body: Promise<Body> | undefined
  return {
    number,
    method,
    target,
    // Whatever a client writes there: what is no path of ours is not found.
    path: URL.canParse(target, 'http://localhost') ? new URL(target, 'http://localhost').pathname : target,
    headers,
    header(name) {
      const value = request.headers[name]
      return Array.isArray(value) ? value.join(', ') : value
    },
    request,
    response,
    body() {
      body ??= readBody(request, maxBodyBytes)
      return body
    },
    own: [],
  }
}
