/** The frames of one HTTP exchange: each piece goes into the log before anybody looks at it. */
import { mediaType } from '../wire/http.ts'
import { at, type Json, parseJson } from '../wire/json-rpc.ts'
import { readLine } from '../wire/lines.ts'
import type { Frame, FrameContext, HeaderList, MessageFrame, NewFrame, WireLog } from '../wire/log.ts'
import type { SseBlock } from '../wire/sse.ts'
import type { HttpReply } from './reply.ts'

/** Bodies that are no messages are kept for the report only. */
export const KEPT_OF_OTHER_BODIES = 8 * 1024

export interface ExchangeRequest {
  method: string
  url: string
  headers: HeaderList
  body?: string | Uint8Array
  /** the body in pieces, with a pause before each but the first */
  pieces?: Uint8Array[]
  intended?: 'fault'
}

export interface ExchangeRecord {
  readonly frames: Frame[]
  /** our request: its head, and its body where it has one */
  request(request: ExchangeRequest): void
  head(status: number, statusText: string, headers: HeaderList): void
  /** an event of a stream; the message in it, or what is left of one */
  event(block: SseBlock): MessageFrame | undefined
  /** a body that has ended; the message that it is, where it is one */
  body(text: Uint8Array, reply: HttpReply): MessageFrame | undefined
  end(why: 'closed' | 'failed', detail: string): void
}

export function createExchangeRecord(log: WireLog, context: FrameContext, method: string): ExchangeRecord {
  const frames: Frame[] = []
  const add = (frame: NewFrame): Frame => {
    const added = log.add(frame)
    frames.push(added)
    return added
  }
  return {
    frames,
    request: request => addRequest(add, context, request),
    head(status, statusText, headers) {
      add({
        ...context,
        kind: 'http',
        from: 'them',
        start: `HTTP/1.1 ${status} ${statusText}`.trim(),
        status,
        headers,
      })
    },
    event: block => addEvent(add, context, block),
    body(bytes, reply) {
      const line = readLine(bytes)
      reply.body = line.text
      if (line.json !== undefined) reply.json = line.json
      if (bytes.length === 0) return undefined
      if (isMessageBody(method, reply, line.json))
        return add({ ...context, kind: 'message', from: 'them', ...line }) as MessageFrame
      const text = line.text.slice(0, KEPT_OF_OTHER_BODIES)
      add({ ...context, kind: 'body', from: 'them', text, length: bytes.length })
      return undefined
    },
    end(why, detail) {
      add({ ...context, kind: 'end', why, detail })
    },
  }
}

function addRequest(add: (frame: NewFrame) => Frame, context: FrameContext, request: ExchangeRequest): void {
  const fault = request.intended === undefined ? {} : { intended: request.intended }
  const { pathname, search } = new URL(request.url)
  const start = `${request.method} ${pathname}${search}`
  add({ ...context, ...fault, kind: 'http', from: 'us', start, headers: request.headers })
  const body = request.pieces === undefined ? request.body : Buffer.concat(request.pieces)
  if (body === undefined) return
  const text = typeof body === 'string' ? body : Buffer.from(body).toString('utf8')
  const json = parseJson(text)
  add({ ...context, ...fault, kind: 'message', from: 'us', text, ...(json === undefined ? {} : { json }) })
}

function addEvent(add: (frame: NewFrame) => Frame, context: FrameContext, block: SseBlock): MessageFrame | undefined {
  const { flaw, ...fields } = block
  add({ ...context, kind: 'sse', from: 'them', ...fields })
  const named = block.event !== undefined && block.event !== 'message'
  if (flaw !== undefined) {
    const kept = flaw === 'incomplete' ? 'unterminated' : flaw
    // What is cut off answers nobody, but a monitor has to see it.
    add({ ...context, kind: 'message', from: 'them', text: block.raw, flaw: kept })
    return undefined
  }
  if (block.data === undefined || block.data === '' || named) return undefined
  const json = parseJson(block.data)
  return add({
    ...context,
    kind: 'message',
    from: 'them',
    text: block.data,
    ...(json === undefined ? { flaw: 'not-json' } : { json }),
    ...(block.id === undefined ? {} : { eventId: block.id }),
  }) as MessageFrame
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
