/**
 * A stream that ends without the response but with an event id is resumed before anything is called
 * missing (basic/transports#resumability-and-redelivery), where the family can resume at all.
 */
import type { Conversation } from '../dialects/family.ts'
import { mediaType } from '../wire/http.ts'
import type { Frame } from '../wire/log.ts'
import type { SseBlock } from '../wire/sse.ts'
import { sleep, within } from '../wire/wait.ts'
import type { HttpLink } from './http-link.ts'
import type { HttpReply } from './reply.ts'

/** A retry value is obeyed up to here; longer ones end the waiting for that stream. */
const MAX_RETRY_MS = 5_000
/** A server that closes every resumed stream at once is asked again this often. */
const MIN_RETRY_MS = 50

export interface Resuming {
  http: HttpLink
  conversation: Conversation
  /** the reply whose stream broke off */
  reply: HttpReply | undefined
  answer: { readonly done: boolean; promise: Promise<unknown> }
  /** milliseconds that are left for all of it */
  left(): number
}

/** Resumes until the answer is there or nothing more can be expected; the frames of all that came. */
export async function resume({ http, conversation, reply: first, answer, left }: Resuming): Promise<Frame[]> {
  const frames: Frame[] = []
  let reply = first
  let place: Place = { retryMs: MIN_RETRY_MS }
  while (reply !== undefined && isStream(reply)) {
    place = placeIn(reply.events, place)
    const headers = place.lastId === undefined ? undefined : conversation.resume(place.lastId)
    if (headers === undefined || place.retryMs > MAX_RETRY_MS || left() <= place.retryMs) return frames
    await sleep(Math.max(MIN_RETRY_MS, place.retryMs))
    const next = http.exchange({ method: 'GET', headers: Object.fromEntries(headers) })
    await within(Promise.race([answer.promise, next.over]), left())
    next.abort()
    frames.push(...next.frames)
    if (answer.done) return frames
    reply = next.reply
  }
  return frames
}

export interface Place {
  lastId?: string
  retryMs: number
}

/** Where a stream broke off, and how long its server wants us to wait. */
export function placeIn(events: readonly SseBlock[], before: Place): Place {
  const place = { ...before }
  for (const { id, retry } of events) {
    if (id !== undefined) place.lastId = id
    if (retry !== undefined && /^\d+$/.test(retry)) place.retryMs = Number(retry)
  }
  return place
}

const isStream = (reply: HttpReply): boolean =>
  reply.status === 200 && mediaType(reply.contentType) === 'text/event-stream'
