/**
 * One HTTP request to an MCP endpoint with everything that answers it, read as it comes: head, a
 * JSON body or the events of a stream, the end.
 */
import type { HttpConnection } from '../wire/http.ts'
import type { Frame, FrameContext, MessageFrame, WireLog } from '../wire/log.ts'
import type { SseBlock } from '../wire/sse.ts'
import { signal, within } from '../wire/wait.ts'
import { createAnswerReader } from './answer-reader.ts'
import { createExchangeRecord, type ExchangeRequest } from './exchange-record.ts'
import type { HttpReply } from './reply.ts'

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
  const record = createExchangeRecord(log, context, request.method)
  record.request(request)
  let abort = (): void => {}
  const answer = createAnswerReader(record, onMessage, () => abort())
  abort = connection.send(request, answer)
  return {
    id: context.exchange ?? 0,
    frames: record.frames,
    reply: answer.reply,
    get lastEventId() {
      return answer.stream.lastEventId
    },
    get retryMs() {
      return answer.stream.retryMs
    },
    head: answer.headCame,
    over: answer.over,
    get isOver() {
      return answer.isOver
    },
    async event(fits, withinMs, from = 0) {
      const found = signal<SseBlock | undefined>()
      let next = from
      const unwatch = answer.watch(() => {
        for (; next < answer.reply.events.length && !found.done; next += 1) {
          const block = answer.reply.events[next] as SseBlock
          if (fits(block, next)) found.resolve(block)
        }
        if (answer.isOver) found.resolve(undefined)
      })
      const block = await within(found.promise, withinMs)
      unwatch()
      return block
    },
    abort: () => abort(),
  }
}
