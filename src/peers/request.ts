/**
 * One request from sending to reply. A stream that ends without the response but with an event id
 * is resumed by GET before anything is called missing (basic/transports#resumability-and-redelivery).
 */

import { mediaType } from '../wire/http.ts'
import { at, type Json, type JsonObject, type RequestId, shapeOf } from '../wire/json-rpc.ts'
import type { Frame, MessageFrame, WireLog } from '../wire/log.ts'
import { signal, sleep, within } from '../wire/wait.ts'
import type { Correlator } from './correlator.ts'
import type { HttpLink } from './http-link.ts'
import type { Link, Sent } from './link.ts'
import type { HttpReply, Reply } from './reply.ts'
import type { RequestOptions } from './server-peer.ts'

/** A retry value is obeyed up to here; longer ones end the waiting for that stream. */
const MAX_RETRY_MS = 5_000
/** A server that closes every resumed stream at once is asked again this often. */
const MIN_RETRY_MS = 50

export interface Asking {
  readonly reply: Promise<Reply>
  disconnect(): void
}

export function ask(
  link: Link,
  http: HttpLink | undefined,
  correlator: Correlator,
  log: WireLog,
  message: JsonObject,
  id: RequestId,
  withinMs: number,
  options: RequestOptions,
): Asking {
  const started = log.now()
  const answer = signal<MessageFrame>()
  const forget = correlator.expect(id, frame => answer.resolve(frame), options.match)
  const sent = link.send(JSON.stringify(message), {
    answers: id,
    ...(options.headers === undefined ? {} : { headers: options.headers }),
    ...(options.intended === undefined ? {} : { intended: options.intended }),
  })
  const left = (): number => Math.max(0, withinMs - (log.now() - started))

  const wait = async (): Promise<Reply> => {
    const extra: Frame[] = []
    const over = sent.over === undefined ? [] : [sent.over.then(() => 'over' as const)]
    const gone = link.gone.then(why => ({ gone: why }))
    let first = await within(Promise.race([answer.promise, gone, ...over]), withinMs)
    if (first === 'over') {
      // The message of a JSON body is handled before the exchange is over, so a miss here is a miss.
      if (!answer.done && http !== undefined && options.resume !== 'never')
        await resume(http, sent, extra, answer, left)
      first = answer.done ? await answer.promise : 'over'
    }
    forget()
    const frames = (): Frame[] => [...sent.frames, ...extra]
    const afterMs = log.now() - started
    if (first === undefined) {
      sent.abort()
      const awaiting = `the answer to ${String(message.method)} (id ${JSON.stringify(id)})`
      const silence = log.add({ channel: 'mcp', ...link.labels, kind: 'silence', awaiting, waitedMs: afterMs })
      return { kind: 'none', why: 'timeout', frames: [...frames(), silence], afterMs, ...httpPart(sent) }
    }
    if (first === 'over') return withoutAnswer(sent.http as HttpReply, frames(), afterMs)
    if ('gone' in first) return { kind: 'none', why: 'closed', detail: first.gone, frames: frames(), afterMs }
    if (first.flaw !== undefined) return { kind: 'none', why: 'unparsable', frames: [...frames(), first], afterMs }
    const all = frames()
    const frame = first
    return readAnswer(frame, id, all.includes(frame) ? all : [...all, frame], afterMs, sent)
  }
  return { reply: wait(), disconnect: () => sent.abort() }
}

async function resume(
  http: HttpLink,
  sent: Sent,
  extra: Frame[],
  answer: { done: boolean; promise: Promise<MessageFrame> },
  left: () => number,
): Promise<void> {
  let reply = sent.http
  let lastId: string | undefined
  let retryMs = MIN_RETRY_MS
  while (reply !== undefined && reply.status === 200 && mediaType(reply.contentType) === 'text/event-stream') {
    for (const block of reply.events) {
      if (block.id !== undefined) lastId = block.id
      if (block.retry !== undefined && /^\d+$/.test(block.retry)) retryMs = Number(block.retry)
    }
    if (lastId === undefined || retryMs > MAX_RETRY_MS || left() <= retryMs) return
    await sleep(Math.max(MIN_RETRY_MS, retryMs))
    const next = http.exchange({ method: 'GET', headers: { 'Last-Event-ID': lastId } })
    await within(Promise.race([answer.promise, next.over]), left())
    next.abort()
    extra.push(...next.frames)
    if (answer.done) return
    reply = next.reply
  }
}

const httpPart = (sent?: Sent): { http?: HttpReply } => (sent?.http === undefined ? {} : { http: sent.http })

function withoutAnswer(http: HttpReply, frames: Frame[], afterMs: number): Reply {
  if (http.status === 0) {
    return {
      kind: 'none',
      why: 'closed',
      ...(http.error === undefined ? {} : { detail: http.error }),
      http,
      frames,
      afterMs,
    }
  }
  const spoiled = frames.find(frame => frame.kind === 'message' && frame.from === 'them' && frame.flaw !== undefined)
  if (spoiled !== undefined) return { kind: 'none', why: 'unparsable', http, frames, afterMs }
  return { kind: 'http-error', http, frames, afterMs }
}

/** The reply that a message makes. */
export function readAnswer(frame: MessageFrame, id: RequestId, frames: Frame[], afterMs: number, sent?: Sent): Reply {
  const json = pick(frame.json, id)
  const common = { frames, afterMs, id: at(json, 'id'), ...httpPart(sent) }
  if (shapeOf(json) === 'result') return { kind: 'result', result: at(json, 'result') ?? null, ...common }
  const error = at(json, 'error') ?? null
  const code = at(error, 'code')
  const message = at(error, 'message')
  const data = at(error, 'data')
  return {
    kind: 'error',
    code: typeof code === 'number' ? code : Number.NaN,
    message: typeof message === 'string' ? message : '',
    error,
    ...(data === undefined ? {} : { data }),
    ...common,
  }
}

/** The part of a batch that answers the request; a single message is itself. */
function pick(json: Json | undefined, id: RequestId): Json | undefined {
  if (!Array.isArray(json)) return json
  return json.find(part => at(part, 'id') === id) ?? json.find(part => String(at(part, 'id')) === String(id))
}
