/** A server under test behind an MCP endpoint (basic/transports#streamable-http). */
import { createHttpConnection, headerValue } from '../wire/http.ts'
import type { FrameContext, HeaderList, MessageFrame, WireLog } from '../wire/log.ts'
import { within } from '../wire/wait.ts'
import { type Exchange, startExchange } from './exchange.ts'
import type { HeaderEdits, Labels, Link, LinkEvents, SendOptions } from './link.ts'
import { withEdits } from './link.ts'
import { rawExchange } from './raw-exchange.ts'
import type { HttpReply } from './reply.ts'

/** Ending a session is a courtesy; the target has this long to take it. */
const GOODBYE_MS = 1_000

export interface HttpLink extends Link {
  readonly url: string
  readonly sessionId: string | undefined
  /** The header fields of every later request: session id, version; known after the opening. */
  adopt(sessionId: string | undefined, headers: HeaderList): void
  exchange(
    request: { method: string; headers?: HeaderEdits; body?: string | Uint8Array; pieces?: Uint8Array[]; url?: string },
    options?: { intended?: 'fault' },
  ): Exchange
  /** Bytes straight to the port; see ServerPeer.socket. */
  socket(bytes: string | Uint8Array, withinMs: number): Promise<HttpReply>
}

/** Counts exchanges over all links of a run, so that the number alone names one. */
export interface Counter {
  exchanges: number
}

export function openHttpLink(
  url: string,
  ours: HeaderList,
  log: WireLog,
  labels: Labels,
  counter: Counter,
  events: LinkEvents,
): HttpLink {
  const connection = createHttpConnection()
  const open = new Set<Exchange>()
  let sessionId: string | undefined
  let adopted: HeaderList = []
  let interrupted = false

  const standard = (method: string): HeaderList => [
    ...(method === 'POST' ? ([['Content-Type', 'application/json']] as HeaderList) : []),
    ['Accept', method === 'POST' ? 'application/json, text/event-stream' : 'text/event-stream'],
    ...(sessionId === undefined ? [] : ([['MCP-Session-Id', sessionId]] as HeaderList)),
    ...adopted,
    ...ours,
  ]
  const exchange: HttpLink['exchange'] = (request, options = {}) => {
    counter.exchanges += 1
    const context: FrameContext = { channel: 'mcp', ...labels, exchange: counter.exchanges }
    const started = startExchange(
      connection,
      log,
      context,
      {
        method: request.method,
        url: request.url ?? url,
        headers: withEdits(standard(request.method), request.headers),
        ...(request.body === undefined ? {} : { body: request.body }),
        ...(request.pieces === undefined ? {} : { pieces: request.pieces }),
        ...options,
      },
      (frame: MessageFrame) => events.message(frame),
    )
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
    get sessionId() {
      return sessionId
    },
    adopt(id, headers) {
      sessionId = id
      adopted = headers
    },
    exchange,
    async socket(bytes, withinMs) {
      counter.exchanges += 1
      const context: FrameContext = { channel: 'mcp', ...labels, exchange: counter.exchanges, intended: 'fault' }
      return rawExchange(url, bytes, withinMs, log, context)
    },
    send(payload, options: SendOptions = {}) {
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
    },
    // A URL has no death of its own; refused connections show in each exchange.
    gone: new Promise<string>(() => {}),
    isGone: false,
    interrupt() {
      for (const one of open) one.abort()
      interrupted = true
    },
    async close() {
      for (const one of open) one.abort()
      if (sessionId !== undefined && !interrupted) {
        const goodbye = exchange({ method: 'DELETE' })
        if ((await within(goodbye.over, GOODBYE_MS)) === undefined) goodbye.abort()
      }
      await connection.close()
    },
  }
}

export const sessionIdOf = (headers: HeaderList): string | undefined => headerValue(headers, 'mcp-session-id')
