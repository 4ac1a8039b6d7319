/** A server under test behind an MCP endpoint (basic/transports#streamable-http). */
import type { Conversation } from '../dialects/family.ts'
import { createHttpConnection, type HttpConnection } from '../wire/http.ts'
import { parseJson } from '../wire/json-rpc.ts'
import type { FrameContext, HeaderList, WireLog } from '../wire/log.ts'
import { within } from '../wire/wait.ts'
import { type Exchange, startExchange } from './exchange.ts'
import type { HeaderEdits, Labels, Link, LinkEvents, SendOptions, Sent } from './link.ts'
import { withEdits } from './link.ts'
import { rawExchange } from './raw-exchange.ts'
import type { HttpReply } from './reply.ts'

/** Ending a session is a courtesy; the target has this long to take it. */
const GOODBYE_MS = 1_000

export interface HttpLink extends Link {
  readonly url: string
  exchange(request: EndpointRequest, options?: { intended?: 'fault' }): Exchange
  /** Bytes straight to the port; see ServerPeer.socket. */
  socket(bytes: string | Uint8Array, withinMs: number): Promise<HttpReply>
}

export interface EndpointRequest {
  method: string
  headers?: HeaderEdits
  body?: string | Uint8Array
  pieces?: Uint8Array[]
  url?: string
}

/** Counts exchanges over all links of a run, so that the number alone names one. */
export interface Counter {
  exchanges: number
}

export interface HttpLinkParts {
  url: string
  /** header fields that the user gave for every request */
  headers: HeaderList
  log: WireLog
  labels: Labels
  counter: Counter
  conversation: Conversation
  events: LinkEvents
}

export function openHttpLink(parts: HttpLinkParts): HttpLink {
  const { url, log, labels, conversation } = parts
  const connection = createHttpConnection()
  const open = new Set<Exchange>()
  let interrupted = false

  const nextContext = (): FrameContext => {
    parts.counter.exchanges += 1
    return { channel: 'mcp', ...labels, exchange: parts.counter.exchanges }
  }
  const exchange: HttpLink['exchange'] = (request, options = {}) => {
    const started = exchangeOn(connection, parts, nextContext(), request, options)
    open.add(started)
    // What is still sent after the interruption is not waited for.
    if (interrupted) started.abort()
    void started.over.then(() => open.delete(started))
    return started
  }
  return {
    via: 'http',
    url,
    labels,
    exchange,
    socket: (bytes, withinMs) => rawExchange(url, bytes, withinMs, log, { ...nextContext(), intended: 'fault' }),
    send: (payload, options = {}) => sentBy(exchange, payload, options),
    // A URL has no death of its own; refused connections show in each exchange.
    gone: new Promise<string>(() => {}),
    isGone: false,
    interrupt() {
      for (const one of open) one.abort()
      interrupted = true
    },
    async close() {
      for (const one of open) one.abort()
      if (conversation.farewell !== undefined && !interrupted) {
        const goodbye = exchange({ method: conversation.farewell })
        if ((await within(goodbye.over, GOODBYE_MS)) === undefined) goodbye.abort()
      }
      await connection.close()
    },
  }
}

function exchangeOn(
  connection: HttpConnection,
  parts: HttpLinkParts,
  context: FrameContext,
  request: EndpointRequest,
  options: { intended?: 'fault' },
): Exchange {
  const { conversation, events } = parts
  const usual = [
    ...contentHeaders(request.method),
    ...conversation.headers(() => (request.body === undefined ? undefined : parseJson(textOf(request.body)))),
    ...parts.headers,
  ]
  return startExchange(
    connection,
    parts.log,
    context,
    {
      method: request.method,
      url: request.url ?? parts.url,
      headers: withEdits(usual, request.headers),
      ...(request.body === undefined ? {} : { body: request.body }),
      ...(request.pieces === undefined ? {} : { pieces: request.pieces }),
      ...options,
    },
    frame => events.message(frame),
  )
}

const contentHeaders = (method: string): HeaderList =>
  method === 'POST'
    ? [
        ['Content-Type', 'application/json'],
        ['Accept', 'application/json, text/event-stream'],
      ]
    : [['Accept', 'text/event-stream']]

const textOf = (body: string | Uint8Array): string =>
  typeof body === 'string' ? body : Buffer.from(body).toString('utf8')

function sentBy(exchange: HttpLink['exchange'], payload: string | Uint8Array, options: SendOptions): Sent {
  const started = exchange(
    { method: 'POST', body: payload, ...(options.headers === undefined ? {} : { headers: options.headers }) },
    options.intended === undefined ? {} : { intended: options.intended },
  )
  return {
    frames: started.frames,
    over: started.over,
    get http() {
      return started.reply
    },
    abort: () => started.abort(),
  }
}
