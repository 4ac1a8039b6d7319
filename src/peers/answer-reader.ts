/** Reads the answer to one HTTP request piece by piece, with limits, and says when something new is there. */
import { type ExchangeEvents, type HttpHead, headerValue, mediaType } from '../wire/http.ts'
import type { MessageFrame } from '../wire/log.ts'
import { createSseParser, type SseBlock } from '../wire/sse.ts'
import { signal } from '../wire/wait.ts'
import type { ExchangeRecord } from './exchange-record.ts'
import type { HttpReply } from './reply.ts'

/** The largest body that is read; what comes behind it is not stored, and the exchange is ended. */
const MAX_BODY_BYTES = 16 * 1024 * 1024
/** An event stream that we only listen to is ended beyond this. */
const MAX_STREAM_BYTES = 16 * 1024 * 1024

export interface AnswerReader extends ExchangeEvents, Progress {
  readonly reply: HttpReply
  /** what a later request needs to take up a stream again: the last id, and the last `retry` in milliseconds */
  readonly stream: { lastEventId?: string; retryMs?: number }
}

/** How far an answer has come. */
interface Progress {
  readonly headCame: Promise<HttpReply | undefined>
  readonly over: Promise<HttpReply>
  readonly isOver: boolean
  /** Calls `look` now and whenever there is something new; returns the function that ends it. */
  watch(look: () => void): () => void
}

/** `stop` ends the connection: it is called when a limit is passed. */
export function createAnswerReader(
  record: ExchangeRecord,
  onMessage: (frame: MessageFrame) => void,
  stop: () => void,
): AnswerReader {
  const reply = emptyReply(record)
  const stream: AnswerReader['stream'] = {}
  const progress = createProgress(reply)
  const finish = (ended: HttpReply['ended'], error?: string): void => {
    if (progress.isOver) return
    reply.ended = ended
    if (error !== undefined) {
      reply.error = error
      record.end(ended === 'open' ? 'closed' : 'failed', error)
    }
    progress.ended()
  }
  const pass = (message: MessageFrame | undefined): void => {
    if (message !== undefined) onMessage(message)
  }
  const content = createContent(reply, {
    event(block) {
      const message = record.event(block)
      reply.events.push(block)
      if (block.id !== undefined) stream.lastEventId = block.id
      if (block.retry !== undefined && /^\d+$/.test(block.retry)) stream.retryMs = Number(block.retry)
      pass(message)
      progress.stirred()
    },
    body: bytes => pass(record.body(bytes, reply)),
  })
  return Object.assign(progress, {
    reply,
    stream,
    head(received: HttpHead) {
      reply.status = received.status
      reply.headers = received.headers
      reply.contentType = headerValue(received.headers, 'content-type') ?? ''
      record.head(received.status, received.statusText, received.headers)
      progress.began()
    },
    data(chunk: Uint8Array) {
      const limit = content.take(chunk)
      if (limit === undefined) return
      finish('failed', `more than ${limit} bytes came; we stopped reading`)
      stop()
    },
    end() {
      content.end()
      finish('complete')
    },
    failed(error: Error & { code?: string }, aborted: boolean) {
      content.cut()
      finish(aborted ? 'open' : 'failed', aborted ? 'we stopped reading' : (error.code ?? error.message))
    },
  })
}

const emptyReply = ({ frames }: ExchangeRecord): HttpReply => ({
  status: 0,
  headers: [],
  contentType: '',
  body: '',
  events: [],
  ended: 'open',
  frames,
})

function createProgress(reply: HttpReply): Progress & { began(): void; stirred(): void; ended(): void } {
  const head = signal<HttpReply | undefined>()
  const over = signal<HttpReply>()
  const watchers = new Set<() => void>()
  const stirred = (): void => {
    for (const watcher of watchers) watcher()
  }
  return {
    headCame: head.promise,
    over: over.promise,
    get isOver() {
      return over.done
    },
    watch(look) {
      watchers.add(look)
      look()
      return () => watchers.delete(look)
    },
    began() {
      head.resolve(reply)
      stirred()
    },
    stirred,
    ended() {
      head.resolve(reply.status === 0 ? undefined : reply)
      over.resolve(reply)
      stirred()
    },
  }
}

interface Content {
  /** Returns the limit where the chunk passes it. */
  take(chunk: Uint8Array): number | undefined
  end(): void
  /** What came before the connection broke: of a stream the rest is an event cut off, of a body it is nothing. */
  cut(): void
}

/** What is in the answer: the events of a stream, or a body. Which of them, the head says. */
function createContent(
  reply: HttpReply,
  found: { event(block: SseBlock): void; body(bytes: Uint8Array): void },
): Content {
  const chunks: Uint8Array[] = []
  let received = 0
  let parser: ReturnType<typeof createSseParser> | undefined
  const sse = (): typeof parser => {
    if (mediaType(reply.contentType) === 'text/event-stream') parser ??= createSseParser(found.event)
    return parser
  }
  return {
    take(chunk) {
      received += chunk.length
      const limit = sse() === undefined ? MAX_BODY_BYTES : MAX_STREAM_BYTES
      if (received > limit) return limit
      if (sse() === undefined) chunks.push(chunk)
      else sse()?.feed(chunk)
      return undefined
    },
    end() {
      if (sse() === undefined) found.body(Buffer.concat(chunks))
      else sse()?.end()
    },
    cut() {
      sse()?.end()
    },
  }
}
