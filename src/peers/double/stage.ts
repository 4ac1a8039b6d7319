/**
 * What both transports of the double share: conversations, the calls in them, and the questions that the
 * server asks. A transport brings the messages of the client here and lends the channels to speak on.
 */
import type { Revision } from '../../spec/revision.ts'
import {
  at,
  codes,
  idKey,
  isObject,
  isResponse,
  type Json,
  type JsonObject,
  notification,
  type RequestId,
  request,
  shapeOf,
  textAt,
} from '../../wire/json-rpc.ts'
import type { FrameContext, MessageFrame, WireLog } from '../../wire/log.ts'
import { type Signal, signal, within } from '../../wire/wait.ts'
import { createCorrelator } from '../correlator.ts'
import type { Reply } from '../reply.ts'
import { readAnswer } from '../request.ts'
import { answerOf, negotiated } from './calls.ts'
import type {
  AskOptions,
  Call,
  CallAnswer,
  CallHandler,
  Channel,
  Conversation,
  EventStream,
  SendOptions,
  ServerSetup,
} from './double.ts'

/** What a transport lends for one channel. */
export interface Mouth {
  /** Writes text or bytes as one message (or a part of one) and logs it; false where nobody can hear it. */
  say(payload: string | Uint8Array, json: Json | undefined, options: SendOptions): Promise<boolean>
  raw(bytes: string | Uint8Array, options: SendOptions): Promise<boolean>
}

/** The channel of one request. */
export interface CallMouth extends Mouth {
  stream(): EventStream | undefined
  /** Sends what became of the request; after that the channel is closed, unless nothing became of it. */
  finish(answer: Exclude<CallAnswer, 'silence'>, request: JsonObject): Promise<void>
  /** Lets go of a request that was never answered. */
  release(): void
}

export interface Talk extends Conversation {
  readonly context: FrameContext
  begun: Signal<undefined>
  /** calls that are not answered yet, by id */
  readonly running: Map<string, Signal<MessageFrame>>
}

export interface TalkParts {
  session: string
  sessionId: string | undefined
  context: FrameContext
  hello: JsonObject
  version: string
  mouth: Mouth
  listening(): boolean
  listened(withinMs: number): Promise<boolean>
  hangUp(): Promise<void>
  ended(): boolean
  complain?(text: string): Promise<boolean>
}

export interface StageOptions {
  revision: Revision
  setup: ServerSetup
  log: WireLog
  /** for the answers of the client, where a script does not say otherwise */
  replyMs: number
  /** A script's own handler threw: a fault of ours. */
  onFault(error: Error): void
}

export interface Stage {
  readonly handlers: Map<string, CallHandler>
  readonly talks: Talk[]
  readonly messages: MessageFrame[]
  begin(parts: TalkParts): Talk
  /** A message of the client: calls are answered through `mouth`. */
  receive(talk: Talk, frame: MessageFrame, mouth: (message: JsonObject) => CallMouth): void
  /** The version that the answer to this `initialize` names. */
  versionFor(hello: JsonObject): string
  /** Waits until `find` finds something; it is asked again whenever something has changed. */
  found<T>(find: () => T | undefined, withinMs: number): Promise<T | undefined>
  /** Something has changed that somebody may wait for. */
  stirred(): void
  /** A message of the client that nobody answers. */
  note(frame: MessageFrame): void
  /** Nothing more comes: whoever waits for the client stops waiting. */
  end(): void
  readonly isOver: boolean
  readonly over: Promise<undefined>
}

export function createStage(options: StageOptions): Stage {
  const { setup, log } = options
  const handlers = new Map<string, CallHandler>(Object.entries(setup.handlers ?? {}))
  const talks: Talk[] = []
  const messages: MessageFrame[] = []
  const watchers = new Set<() => void>()
  const over = signal<undefined>()
  const correlators = new Map<Talk, ReturnType<typeof createCorrelator>>()
  let nextId = 0

  const stirred = (): void => {
    for (const look of [...watchers]) look()
  }
  /** Resolves with the first value that `find` gives, however often it has to look. */
  const found = async <T>(find: () => T | undefined, withinMs: number): Promise<T | undefined> => {
    const now = find()
    if (now !== undefined || over.done) return now
    const seen = signal<T | undefined>()
    const look = (): void => {
      const value = find()
      if (value !== undefined || over.done) seen.resolve(value)
    }
    watchers.add(look)
    const value = await within(seen.promise, withinMs)
    watchers.delete(look)
    return value ?? find()
  }
  const ask = async (
    talk: Talk,
    mouth: Mouth,
    method: string,
    params: JsonObject | undefined,
    how: AskOptions,
  ): Promise<Reply> => {
    nextId += 1
    const id: RequestId = how.id ?? nextId
    const began = log.now()
    const answer = signal<MessageFrame>()
    const correlator = correlators.get(talk)
    const forget = correlator?.expect(id, frame => answer.resolve(frame)) ?? (() => {})
    const message = request(id, method, params)
    const told = await mouth.say(JSON.stringify(message), message, how)
    const frame = told
      ? await within(Promise.race([answer.promise, over.promise]), how.withinMs ?? options.replyMs)
      : undefined
    forget()
    const afterMs = log.now() - began
    const got = frame ?? (answer.done ? await answer.promise : undefined)
    if (got === undefined) {
      if (!told) return { kind: 'none', why: 'closed', detail: 'the channel was not open', frames: [], afterMs }
      const awaiting = `the answer to ${method} (id ${JSON.stringify(id)})`
      const silence = log.add({ ...talk.context, kind: 'silence', awaiting, waitedMs: afterMs })
      return over.done
        ? { kind: 'none', why: 'closed', detail: 'the client ended', frames: [silence], afterMs }
        : { kind: 'none', why: 'timeout', frames: [silence], afterMs }
    }
    if (got.flaw !== undefined) return { kind: 'none', why: 'unparsable', frames: [got], afterMs }
    return readAnswer(got, id, [got], afterMs)
  }
  const channel = (talk: () => Talk, mouth: Mouth): Channel => ({
    push: (message, how = {}) => mouth.say(JSON.stringify(message), message, how),
    notify: (method, params) => {
      const message = notification(method, params)
      return mouth.say(JSON.stringify(message), message, {})
    },
    ask: (method, params, how = {}) => ask(talk(), mouth, method, params, how),
    bytes: (raw, how = {}) => mouth.raw(raw, how),
  })
  const serve = async (talk: Talk, message: JsonObject, frame: MessageFrame, mouth: CallMouth): Promise<void> => {
    const cancelled = signal<MessageFrame>()
    const key = idKey(message.id)
    talk.running.set(key, cancelled)
    const call: Call = {
      method: textAt(message, 'method') ?? '',
      params: isObject(message.params) ? message.params : {},
      id: message.id ?? null,
      message,
      frame,
      conversation: talk,
      stream: () => mouth.stream(),
      cancelled: cancelled.promise,
      get isCancelled() {
        return cancelled.done
      },
      ...channel(() => talk, mouth),
    }
    let answer: CallAnswer
    try {
      answer = await (handlers.get(call.method) ?? (one => answerOf(setup, one)))(call)
    } catch (problem) {
      options.onFault(problem instanceof Error ? problem : new Error(String(problem)))
      answer = { error: { code: codes.internalError, message: 'Internal error' } }
    }
    if (answer === 'silence') {
      // It stays open, as for a server that thinks for ever, until nobody waits for it any more.
      await Promise.race([cancelled.promise, over.promise])
      mouth.release()
    } else {
      await mouth.finish(answer, message)
    }
    if (talk.running.get(key) === cancelled) talk.running.delete(key)
  }
  const take = (
    talk: Talk,
    json: Json | undefined,
    frame: MessageFrame,
    mouth: (message: JsonObject) => CallMouth,
  ): void => {
    if (Array.isArray(json)) {
      for (const part of json) take(talk, part, frame, mouth)
      return
    }
    if (!isObject(json)) return
    const shape = shapeOf(json)
    if (isResponse(shape)) {
      correlators.get(talk)?.receive({ ...frame, json })
    } else if (shape === 'request') {
      void serve(talk, json, frame, mouth(json))
    } else if (json.method === 'notifications/initialized') {
      talk.begun.resolve(undefined)
    } else if (json.method === 'notifications/cancelled') {
      talk.running.get(idKey(at(json, 'params', 'requestId')))?.resolve(frame)
    }
  }
  return {
    handlers,
    talks,
    messages,
    over: over.promise,
    get isOver() {
      return over.done
    },
    begin(parts) {
      const begun = signal<undefined>()
      let forgotten = false
      const talk: Talk = {
        session: parts.session,
        sessionId: parts.sessionId,
        context: parts.context,
        hello: parts.hello,
        capabilities: isObject(parts.hello.capabilities) ? parts.hello.capabilities : {},
        version: parts.version,
        begun,
        running: new Map(),
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
        ...channel(() => talk, parts.mouth),
      }
      correlators.set(
        talk,
        createCorrelator(() => {}),
      )
      talks.push(talk)
      stirred()
      return talk
    },
    receive(talk, frame, mouth) {
      // Bytes that are no UTF-8 or no JSON are nobody's call; the log has them.
      take(talk, frame.json, frame, mouth)
      messages.push(frame)
      stirred()
    },
    note(frame) {
      messages.push(frame)
      stirred()
    },
    versionFor: hello => String(negotiated(setup, hello.protocolVersion, options.revision)),
    found,
    stirred,
    end() {
      over.resolve(undefined)
      stirred()
    },
  }
}
