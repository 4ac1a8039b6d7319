/**
 * One HTTP request to an MCP endpoint with everything that answers it, read as it comes: head, a
 * JSON body or the events of a stream, the end. Every piece is logged before it is interpreted.
 */
import { type HttpConnection, headerValue, mediaType } from '../wire/http.ts'
import { at, type Json, parseJson } from '../wire/json-rpc.ts'
import { readLine } from '../wire/lines.ts'
import type { Frame, FrameContext, HeaderList, MessageFrame, NewFrame, WireLog } from '../wire/log.ts'
import { createSseParser, type SseBlock } from '../wire/sse.ts'
import { signal, within } from '../wire/wait.ts'
import type { HttpReply } from './reply.ts'

/** The largest body that is read; what comes behind it is not stored, and the exchange is ended. */
export const MAX_BODY_BYTES = 16 * 1024 * 1024
/** Bodies that are no messages are kept for the report only. */
export const KEPT_OF_OTHER_BODIES = 8 * 1024
/** An event stream that we only listen to is ended beyond this. */
const MAX_STREAM_BYTES = 16 * 1024 * 1024

export interface ExchangeRequest {
  method: string
  url: string
  headers: HeaderList
  body?: string | Uint8Array
  /** the body in pieces, with a pause before each but the first */
  pieces?: Uint8Array[]
  intended?: 'fault'
}

export interface Exchange {
  readonly id: number
  readonly frames: Frame[]
  /** The reply as far as it has come. */
  readonly reply: HttpReply
  readonly lastEventId: string | undefined
  /** milliseconds, from the last `retry` field */
  readonly retryMs: number | undefined
  /** Resolves with the head of the answer, or with undefined when there is none. */
  readonly head: Promise<HttpReply | undefined>
  readonly over: Promise<HttpReply>
  readonly isOver: boolean
  /** Resolves with the first event from index `from` on that fits, or undefined. */
  event(
    fits: (block: SseBlock, index: number) => boolean,
    withinMs: number,
    from?: number,
  ): Promise<SseBlock | undefined>
  abort(): void
}

export function startExchange(
  connection: HttpConnection,
  log: WireLog,
  context: FrameContext,
  request: ExchangeRequest,
  onMessage: (frame: MessageFrame) => void,
): Exchange {
  const frames: Frame[] = []
  const add = (frame: NewFrame): Frame => {
    const added = log.add(frame)
    frames.push(added)
    return added
  }
  const reply: HttpReply = { status: 0, headers: [], contentType: '', body: '', events: [], ended: 'open', frames }
  const head = signal<HttpReply | undefined>()
  const over = signal<HttpReply>()
  const watchers = new Set<() => void>()
  const stirred = (): void => {
    for (const watcher of watchers) watcher()
  }
  let lastEventId: string | undefined
  let retryMs: number | undefined
  let received = 0
  const chunks: Uint8Array[] = []
  let sse: ReturnType<typeof createSseParser> | undefined
  let abort = (): void => {}

  logRequest(add, context, request)

  const finish = (ended: HttpReply['ended'], error?: string): void => {
    if (over.done) return
    reply.ended = ended
    if (error !== undefined) {
      reply.error = error
      add({ ...context, kind: 'end', why: ended === 'open' ? 'closed' : 'failed', detail: error })
    }
    head.resolve(reply.status === 0 ? undefined : reply)
    over.resolve(reply)
    stirred()
  }
  const onBlock = (block: SseBlock): void => {
    const { flaw, ...fields } = block
    add({ ...context, kind: 'sse', from: 'them', ...fields })
    reply.events.push(block)
    if (block.id !== undefined) lastEventId = block.id
    if (block.retry !== undefined && /^\d+$/.test(block.retry)) retryMs = Number(block.retry)
    const named = block.event !== undefined && block.event !== 'message'
    if (flaw !== undefined) {
      add({
        ...context,
        kind: 'message',
        from: 'them',
        text: block.raw,
        flaw: flaw === 'incomplete' ? 'unterminated' : flaw,
      })
    } else if (block.data !== undefined && block.data !== '' && !named) {
      const json = parseJson(block.data)
      const frame = add({
        ...context,
        kind: 'message',
        from: 'them',
        text: block.data,
        ...(json === undefined ? { flaw: 'not-json' } : { json }),
        ...(block.id === undefined ? {} : { eventId: block.id }),
      })
      onMessage(frame as MessageFrame)
    }
    stirred()
  }
  const endBody = (): void => {
    const bytes = Buffer.concat(chunks)
    const line = readLine(bytes)
    reply.body = line.text
    if (line.json !== undefined) reply.json = line.json
    if (bytes.length === 0) return
    if (isMessageBody(request.method, reply, line.json)) {
      onMessage(add({ ...context, kind: 'message', from: 'them', ...line }) as MessageFrame)
    } else {
      add({
        ...context,
        kind: 'body',
        from: 'them',
        text: line.text.slice(0, KEPT_OF_OTHER_BODIES),
        length: bytes.length,
      })
    }
  }
  abort = connection.send(request, {
    head(received) {
      reply.status = received.status
      reply.headers = received.headers
      reply.contentType = headerValue(received.headers, 'content-type') ?? ''
      add({
        ...context,
        kind: 'http',
        from: 'them',
        start: `HTTP/1.1 ${received.status} ${received.statusText}`.trim(),
        status: received.status,
        headers: received.headers,
      })
      if (mediaType(reply.contentType) === 'text/event-stream') sse = createSseParser(onBlock)
      head.resolve(reply)
      stirred()
    },
    data(chunk) {
      received += chunk.length
      if (received > (sse === undefined ? MAX_BODY_BYTES : MAX_STREAM_BYTES)) {
        finish(
          'failed',
          `more than ${sse === undefined ? MAX_BODY_BYTES : MAX_STREAM_BYTES} bytes came; we stopped reading`,
        )
        abort()
        return
      }
      if (sse === undefined) chunks.push(chunk)
      else sse.feed(chunk)
    },
    end() {
      if (sse === undefined) endBody()
      else sse.end()
      finish('complete')
    },
    failed(error, aborted) {
      sse?.end()
      finish(aborted ? 'open' : 'failed', aborted ? 'we stopped reading' : (error.code ?? error.message))
    },
  })

  return {
    id: context.exchange ?? 0,
    frames,
    reply,
    get lastEventId() {
      return lastEventId
    },
    get retryMs() {
      return retryMs
    },
    head: head.promise,
    over: over.promise,
    get isOver() {
      return over.done
    },
    async event(fits, withinMs, from = 0) {
      const found = signal<SseBlock | undefined>()
      let next = from
      const look = (): void => {
        for (; next < reply.events.length && !found.done; next += 1) {
          const block = reply.events[next] as SseBlock
          if (fits(block, next)) found.resolve(block)
        }
        if (over.done) found.resolve(undefined)
      }
      watchers.add(look)
      look()
      const block = await within(found.promise, withinMs)
      watchers.delete(look)
      return block
    },
    abort: () => abort(),
  }
}

function logRequest(add: (frame: NewFrame) => Frame, context: FrameContext, request: ExchangeRequest): void {
  const fault = request.intended === undefined ? {} : { intended: request.intended }
  const { pathname, search } = new URL(request.url)
  add({
    ...context,
    ...fault,
    kind: 'http',
    from: 'us',
    start: `${request.method} ${pathname}${search}`,
    headers: request.headers,
  })
  const body = request.pieces === undefined ? request.body : Buffer.concat(request.pieces)
  if (body === undefined) return
  const text = typeof body === 'string' ? body : Buffer.from(body).toString('utf8')
  const json = parseJson(text)
  add({ ...context, ...fault, kind: 'message', from: 'us', text, ...(json === undefined ? {} : { json }) })
}

/**
 * A body is a message where the transport says that one is there (a JSON body of a successful POST), or
 * where it looks like one. The free-form JSON of a 401 is nobody's JSON-RPC.
 */
function isMessageBody(method: string, reply: HttpReply, json: Json | undefined): boolean {
  if (at(json, 'jsonrpc') !== undefined || Array.isArray(json)) return true
  return (
    method === 'POST' &&
    reply.status >= 200 &&
    reply.status < 300 &&
    reply.status !== 202 &&
    mediaType(reply.contentType) === 'application/json'
  )
}
