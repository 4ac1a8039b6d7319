/** One request from sending to reply. */
import type { Conversation } from '../dialects/family.ts'
import type { JsonObject, RequestId } from '../wire/json-rpc.ts'
import type { Frame, MessageFrame, WireLog } from '../wire/log.ts'
import { type Signal, signal, within } from '../wire/wait.ts'
import { readAnswer, withoutAnswer } from './answer.ts'
import type { Correlator } from './correlator.ts'
import type { HttpLink } from './http-link.ts'
import type { Link, SendOptions, Sent } from './link.ts'
import type { HttpReply, Reply } from './reply.ts'
import { resume } from './resume.ts'
import type { RequestOptions } from './server-peer.ts'

export { readAnswer } from './answer.ts'

/** What asking needs, whatever is asked. */
export interface Channel {
  link: Link
  /** the same link where it is HTTP */
  http: HttpLink | undefined
  conversation: Conversation
  correlator: Correlator
  log: WireLog
}

/** One request: the message under its id, how long to wait, and what is special about it. */
export interface Question {
  message: JsonObject
  id: RequestId
  withinMs: number
  options: RequestOptions
}

export interface Asking {
  readonly reply: Promise<Reply>
  readonly sent: Sent
  disconnect(): void
}

export function ask(channel: Channel, question: Question): Asking {
  const { link, correlator, log } = channel
  const { message, id, options } = question
  const started = log.now()
  const answer = signal<MessageFrame>()
  const forget = correlator.expect(id, frame => answer.resolve(frame), options.match)
  const sent = link.send(JSON.stringify(message), sendOptions(id, options))
  const reply = awaitReply(channel, question, { answer, sent, started, forget })
  return { reply, sent, disconnect: () => sent.abort() }
}

const sendOptions = (id: RequestId, { headers, intended }: RequestOptions): SendOptions => ({
  answers: id,
  ...(headers === undefined ? {} : { headers }),
  ...(intended === undefined ? {} : { intended }),
})

interface Waiting {
  answer: Signal<MessageFrame>
  sent: Sent
  /** when it was sent, by the clock of the log */
  started: number
  forget(): void
}

async function awaitReply(channel: Channel, question: Question, waiting: Waiting): Promise<Reply> {
  const { link, log } = channel
  const { answer, sent, started } = waiting
  const extra: Frame[] = []
  const over = sent.over === undefined ? [] : [sent.over.then(() => 'over' as const)]
  const gone = link.gone.then(why => ({ gone: why }))
  let first = await within(Promise.race([answer.promise, gone, ...over]), question.withinMs)
  if (first === 'over') {
    // The message of a JSON body is handled before the exchange is over, so a miss here is a miss.
    if (!answer.done) extra.push(...(await resumed(channel, question, waiting)))
    first = answer.done ? await answer.promise : 'over'
  }
  waiting.forget()
  const frames = [...sent.frames, ...extra]
  const afterMs = log.now() - started
  if (first === undefined) return timedOut(channel, question, sent, extra, afterMs)
  if (first === 'over') return withoutAnswer(sent.http as HttpReply, frames, afterMs)
  if ('gone' in first) return { kind: 'none', why: 'closed', detail: first.gone, frames, afterMs }
  if (first.flaw !== undefined) return { kind: 'none', why: 'unparsable', frames: [...frames, first], afterMs }
  return readAnswer(first, question.id, frames.includes(first) ? frames : [...frames, first], afterMs, sent)
}

/** The stream ended without the answer: perhaps the rest of it can be had on another one. */
async function resumed(channel: Channel, question: Question, { answer, sent, started }: Waiting): Promise<Frame[]> {
  const { http, conversation, log } = channel
  if (http === undefined || question.options.resume === 'never') return []
  const left = (): number => Math.max(0, question.withinMs - (log.now() - started))
  return resume({ http, conversation, reply: sent.http, answer, left })
}

function timedOut({ link, log }: Channel, question: Question, sent: Sent, extra: Frame[], waitedMs: number): Reply {
  sent.abort()
  const awaiting = `the answer to ${String(question.message.method)} (id ${JSON.stringify(question.id)})`
  const silence = log.add({ channel: 'mcp', ...link.labels, kind: 'silence', awaiting, waitedMs })
  return {
    kind: 'none',
    why: 'timeout',
    frames: [...sent.frames, ...extra, silence],
    afterMs: waitedMs,
    ...(sent.http === undefined ? {} : { http: sent.http }),
  }
}
