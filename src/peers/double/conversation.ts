/** A conversation of the double with a client: what was negotiated, and the channels that a script can speak on. */
import { isObject, type JsonObject, notification, type RequestId, request } from '../../wire/json-rpc.ts'
import type { FrameContext, MessageFrame, WireLog } from '../../wire/log.ts'
import { type Signal, signal, within } from '../../wire/wait.ts'
import { type Correlator, createCorrelator } from '../correlator.ts'
import type { Reply } from '../reply.ts'
import { readAnswer } from '../request.ts'
import type { ResponseChannel } from '../server/response-channel.ts'
import { createRunning, type Running } from '../server/running.ts'
import type { AskOptions, Channel, Conversation } from './call.ts'
import type { Watch } from './watch.ts'

/** Where something can be said. */
export type Speaker = Pick<ResponseChannel, 'say' | 'raw'>

export interface OpenConversation extends Conversation {
  readonly context: FrameContext
  readonly begun: Signal<undefined>
  readonly running: Running<MessageFrame>
  /** The client has got through, and has said that of itself; the first time counts. */
  introduce(hello: JsonObject): void
  /** brings the answers of the client to our questions */
  readonly answers: Correlator
}

export interface ConversationParts {
  session: string
  sessionId: string | undefined
  context: FrameContext
  hello: JsonObject
  version: string
  /** for what belongs to no request */
  speaker: Speaker
  listening(): boolean
  listened(withinMs: number): Promise<boolean>
  hangUp(): Promise<void>
  ended(): boolean
  complain?(text: string): Promise<boolean>
}

/** What all conversations of a double share. */
export interface Asking {
  log: WireLog
  watch: Watch
  /** for the answers of the client, where a script does not say otherwise */
  replyMs: number
  nextId(): number
}

export function createConversation(parts: ConversationParts, asking: Asking): OpenConversation {
  const begun = signal<undefined>()
  let forgotten = false
  let { hello } = parts
  const conversation: OpenConversation = {
    session: parts.session,
    sessionId: parts.sessionId,
    context: parts.context,
    get hello() {
      return hello
    },
    get capabilities() {
      return isObject(hello.capabilities) ? hello.capabilities : {}
    },
    introduce(said) {
      if (!begun.done) hello = said
      begun.resolve(undefined)
    },
    version: parts.version,
    begun,
    running: createRunning(),
    answers: createCorrelator(() => {}),
    get initialized() {
      return begun.done
    },
    get listening() {
      return parts.listening()
    },
    listened: withinMs => parts.listened(withinMs),
    hangUp: () => parts.hangUp(),
    forget() {
      forgotten = true
    },
    get forgotten() {
      return forgotten
    },
    get ended() {
      return parts.ended()
    },
    complain: async text => (await parts.complain?.(text)) ?? false,
    ...channelOf(() => conversation, parts.speaker, asking),
  }
  return conversation
}

/** What a script can say there. */
export const channelOf = (conversation: () => OpenConversation, to: Speaker, asking: Asking): Channel => ({
  push: async (message, how = {}) => to.say({ message }, undefined, how),
  notify: async (method, params) => to.say({ message: notification(method, params) }, undefined, {}),
  ask: (method, params, how = {}) => ask(conversation(), to, method, params, how, asking),
  bytes: async (raw, how = {}) => to.raw(raw, how),
})

async function ask(
  { answers, context }: OpenConversation,
  to: Speaker,
  method: string,
  params: JsonObject | undefined,
  how: AskOptions,
  { log, watch, replyMs, nextId }: Asking,
): Promise<Reply> {
  const next = nextId()
  const id: RequestId = how.id ?? next
  const began = log.now()
  const answer = signal<MessageFrame>()
  const forget = answers.expect(id, frame => answer.resolve(frame))
  const told = await to.say({ message: request(id, method, params) }, undefined, how)
  const frame = told ? await within(Promise.race([answer.promise, watch.over]), how.withinMs ?? replyMs) : undefined
  forget()
  const afterMs = log.now() - began
  const got = frame ?? (answer.done ? await answer.promise : undefined)
  if (got !== undefined)
    return got.flaw === undefined
      ? readAnswer(got, id, [got], afterMs)
      : { kind: 'none', why: 'unparsable', frames: [got], afterMs }
  if (!told) return { kind: 'none', why: 'closed', detail: 'the channel was not open', frames: [], afterMs }
  const awaiting = `the answer to ${method} (id ${JSON.stringify(id)})`
  const frames = [log.add({ ...context, kind: 'silence', awaiting, waitedMs: afterMs })]
  return watch.isOver
    ? { kind: 'none', why: 'closed', detail: 'the client ended', frames, afterMs }
    : { kind: 'none', why: 'timeout', frames, afterMs }
}
