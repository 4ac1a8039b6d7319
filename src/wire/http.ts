/**
 * One HTTP exchange, on undici: nothing is followed, decoded or repaired on the way, and all header
 * fields are seen as they came, in their order and with their repetitions.
 */
import { Readable } from 'node:stream'
import { Agent } from 'undici'
import { headerPairs } from './headers.ts'
import type { HeaderList } from './log.ts'
import { sleep } from './wait.ts'

export { headerValue, headerValues, mediaType } from './headers.ts'

export interface HttpRequest {
  method: string
  url: string
  headers: HeaderList
  body?: string | Uint8Array
  /** the body in pieces, with a pause before each but the first */
  pieces?: Uint8Array[]
}

export interface HttpHead {
  status: number
  statusText: string
  headers: HeaderList
}

export interface ExchangeEvents {
  head(head: HttpHead): void
  data(chunk: Uint8Array): void
  end(): void
  /** The connection failed, or we ended it (`aborted`). */
  failed(error: Error & { code?: string }, aborted: boolean): void
}

export interface HttpConnection {
  /** Sends the request; returns the function that aborts it. */
  send(request: HttpRequest, events: ExchangeEvents): () => void
  close(): Promise<void>
}

/** Headers beyond this are an error that names the limit (undici's default is 16 KiB). */
export const MAX_HEADER_BYTES = 64 * 1024

class Aborted extends Error {
  override name = 'Aborted'
}

export function createHttpConnection(): HttpConnection {
  // One connection an exchange at a time, as many as needed: streams must not wait for each other.
  // Time limits are the callers', who know what they wait for.
  const agent = new Agent({
    pipelining: 1,
    connections: null,
    headersTimeout: 0,
    bodyTimeout: 0,
    connectTimeout: 10_000,
    keepAliveTimeout: 1_000,
    maxHeaderSize: MAX_HEADER_BYTES,
  })
  return {
    send: (request, events) => dispatch(agent, request, events),
    close: () => agent.destroy(),
  }
}

/** Sends one request; returns the function that ends the exchange. */
function dispatch(agent: Agent, request: HttpRequest, events: ExchangeEvents): () => void {
  const url = new URL(request.url)
  let abort: (() => void) | undefined
  let aborted = false
  let over = false
  const finish = (error?: Error): void => {
    if (over) return
    over = true
    if (error === undefined) events.end()
    else events.failed(error, aborted)
  }
  agent.dispatch(
    {
      origin: url.origin,
      path: url.pathname + url.search,
      method: request.method as 'GET',
      headers: [...request.headers.flat(), ...lengthOf(request.pieces)],
      ...bodyOf(request),
    },
    {
      onRequestStart(controller) {
        abort = () => controller.abort(new Aborted('we ended the exchange'))
        if (aborted) abort()
      },
      onResponseStart(controller, status, _headers, statusText) {
        if (status < 200) return
        events.head({ status, statusText: statusText ?? '', headers: headerPairs(controller.rawHeaders) })
      },
      onResponseData(_controller, chunk) {
        if (!over) events.data(chunk)
      },
      onResponseEnd: () => finish(),
      onResponseError: (_controller, error) => finish(error),
    },
  )
  return () => {
    if (over || aborted) return
    aborted = true
    abort?.()
    // A request still waiting for its connection has no controller: it is over all the same.
    finish(new Aborted('we ended the exchange'))
  }
}

/** Between two pieces: long enough that they travel in packets of their own on loopback. */
const PIECE_PAUSE_MS = 20

const lengthOf = (pieces: Uint8Array[] | undefined): string[] =>
  pieces === undefined ? [] : ['Content-Length', String(pieces.reduce((sum, piece) => sum + piece.length, 0))]

function bodyOf(request: HttpRequest): { body?: string | Uint8Array | Readable } {
  const { body, pieces } = request
  if (pieces !== undefined) return { body: Readable.from(slowly(pieces), { objectMode: false }) }
  return body === undefined ? {} : { body }
}

async function* slowly(pieces: Uint8Array[]): AsyncGenerator<Uint8Array> {
  for (const [index, piece] of pieces.entries()) {
    if (index > 0) await sleep(PIECE_PAUSE_MS)
    yield piece
  }
}
