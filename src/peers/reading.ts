/** How long an HTTP answer is read: to its head, to the response in it, to its end, or as a stream that stays open. */
import { at, isRequestId, isResponse, parseJson, shapeOf } from '../wire/json-rpc.ts'
import { within } from '../wire/wait.ts'
import type { Exchange } from './exchange.ts'
import type { Stream } from './server-peer.ts'
import type { Timeouts } from './target.ts'

export async function readUntil(
  exchange: Exchange,
  until: 'head' | 'response' | 'end',
  withinMs: number,
): Promise<void> {
  if (until === 'head') {
    await within(exchange.head, withinMs)
    // What comes with the head is wanted too: a short body is read, a stream is not waited for.
    if (!exchange.reply.contentType.startsWith('text/event-stream')) await within(exchange.over, withinMs)
  } else if (until === 'end') {
    await within(exchange.over, withinMs)
  } else {
    await Promise.race([within(exchange.over, withinMs), exchange.event(block => isAnswer(block.data), withinMs)])
  }
  exchange.abort()
}

function isAnswer(data: string | undefined): boolean {
  const json = data === undefined || data === '' ? undefined : parseJson(data)
  const id = at(json, 'id')
  return isResponse(shapeOf(json)) && (isRequestId(id) || id === undefined || id === null)
}

export const streamOf = (exchange: Exchange, timeouts: Timeouts): Stream => ({
  http: exchange.reply,
  event: (fits, withinMs = timeouts.replyMs) => exchange.event(fits, withinMs),
  get events() {
    return exchange.reply.events
  },
  get lastEventId() {
    return exchange.lastEventId
  },
  frames: exchange.frames,
  get isOver() {
    return exchange.isOver
  },
  close: () => exchange.abort(),
})
