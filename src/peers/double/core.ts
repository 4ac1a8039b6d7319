/**
 * What both transports of the double share: its conversations, and the calls in them, which a script answers, or the plain
 * server behind it. A transport brings the messages of the client here and lends the channels to speak on.
 */
import type { Revision } from '../../spec/revision.ts'
import { codes, isObject, type Json, type JsonObject, type Shape, textAt } from '../../wire/json-rpc.ts'
import type { MessageFrame, WireLog } from '../../wire/log.ts'
import type { ServerStream } from '../server/event-stream.ts'
import { isValidMessage, receive } from '../server/receive.ts'
import type { ResponseChannel } from '../server/response-channel.ts'
import { createSessions, type Sessions } from '../server/sessions.ts'
import type { Call, CallAnswer, CallHandler, EventStream } from './call.ts'
import {
  type Asking,
  type ConversationParts,
  channelOf,
  createConversation,
  type OpenConversation,
} from './conversation.ts'
import type { ServerSetup } from './double.ts'
import type { Era, Head } from './era.ts'
import { eraOf } from './eras.ts'
import { negotiated } from './plain-server.ts'
import { scriptStreamOf } from './script-stream.ts'
import { createWatch, type Watch } from './watch.ts'

export interface CoreOptions {
  revision: Revision
  setup: ServerSetup
  log: WireLog
  /** for the answers of the client, where a script does not say otherwise */
  replyMs: number
  /** A script's own handler threw: a fault of ours. */
  onFault(error: Error): void
}

export interface DoubleCore {
  readonly era: Era
  readonly setup: ServerSetup
  readonly handlers: Map<string, CallHandler>
  readonly sessions: Sessions<OpenConversation>
  readonly messages: readonly MessageFrame[]
  readonly watch: Watch
  begin(parts: ConversationParts): OpenConversation
  /** A message of the client: calls are answered through the channel. Over HTTP it has a head. */
  receive(conversation: OpenConversation, frame: MessageFrame, channel: ResponseChannel, head?: Head): void
  /** The version that the answer to this `initialize` names. */
  versionFor(hello: JsonObject): string
  /** A message of the client that nobody answers. */
  note(frame: MessageFrame): void
}

/** How a message came, and where its answer goes. */
interface Arrived {
  frame: MessageFrame
  channel: ResponseChannel
  head: Head | undefined
}

interface State extends CoreOptions, Asking {
  era: Era
  handlers: Map<string, CallHandler>
}

export function createCore(options: CoreOptions): DoubleCore {
  const { setup, log, replyMs } = options
  const sessions: Sessions<OpenConversation> = createSessions()
  const messages: MessageFrame[] = []
  const watch = createWatch()
  let lastId = 0
  const nextId = (): number => {
    lastId += 1
    return lastId
  }
  const handlers = new Map<string, CallHandler>(Object.entries(setup.handlers ?? {}))
  const era = eraOf(options.revision)
  const state: State = { ...options, era, log, watch, replyMs, nextId, handlers }
  const note = (frame: MessageFrame): void => {
    messages.push(frame)
    watch.stirred()
  }
  return {
    era,
    setup,
    handlers,
    sessions,
    messages,
    watch,
    begin(parts) {
      const conversation = createConversation(parts, state)
      sessions.add(parts.sessionId, conversation)
      watch.stirred()
      return conversation
    },
    receive(conversation, frame, channel, head) {
      // Bytes that are no UTF-8 or no JSON are nobody's call; the log has them.
      if (frame.json !== undefined) take(state, conversation, frame.json, { frame, channel, head })
      note(frame)
    },
    versionFor: hello => String(negotiated(setup, hello.protocolVersion, options.revision)),
    note,
  }
}

const INVALID = { code: codes.invalidRequest, message: 'Invalid Request: this is no JSON-RPC 2.0 message of MCP' }

/** A message that can be understood is taken as what it wants to be, unless the setup is strict. */
const isUnderstood = (_message: JsonObject, shape: Shape): boolean => shape !== 'malformed'

function take(state: State, conversation: OpenConversation, json: Json, arrived: Arrived): void {
  const { strict } = state.setup
  const { frame, channel } = arrived
  const invalid = (): void => {
    const id = isObject(json) ? json.id : undefined
    const named = typeof id === 'string' || Number.isInteger(id) ? { id } : {}
    void channel.respond({ messages: [{ jsonrpc: '2.0', ...named, error: INVALID }] }, {})
  }
  void receive(json, {
    isValid: strict === true ? isValidMessage : isUnderstood,
    request: message => serve(state, conversation, message, arrived),
    notification(message) {
      meet(state, conversation, message)
      if (message.method === 'notifications/cancelled')
        conversation.running.cancel(isObject(message.params) ? message.params.requestId : undefined, frame)
    },
    response: message => conversation.answers.receive({ ...frame, json: message }),
    batch(parts) {
      if (strict === true && (conversation.version !== '2025-03-26' || parts.length === 0)) return invalid()
      for (const part of parts) take(state, conversation, part, arrived)
    },
    invalid,
  })
}

/** The message may say who the client is. */
function meet({ era }: State, conversation: OpenConversation, message: JsonObject): void {
  const said = era.introduces(message, conversation.hello)
  if (said !== undefined) conversation.introduce(said)
}

async function serve(
  state: State,
  conversation: OpenConversation,
  message: JsonObject,
  { frame, channel, head }: Arrived,
): Promise<void> {
  const error = state.era.refuses(state.setup, message, head)
  if (error !== undefined) return channel.respond({ error }, message)
  meet(state, conversation, message)
  const running = conversation.running.start(message.id)
  const call: Call = {
    method: textAt(message, 'method') ?? '',
    params: isObject(message.params) ? message.params : {},
    id: message.id ?? null,
    message,
    frame,
    conversation,
    stream: () => streamOf(channel.stream()),
    cancelled: running.cancelled,
    get isCancelled() {
      return running.isCancelled
    },
    ...channelOf(() => conversation, channel, state),
  }
  const answer = await answerTo(state, call)
  if (answer === 'silence') {
    // It stays open, as for a server that thinks for ever, until nobody waits for it any more.
    await Promise.race([running.cancelled, state.watch.over])
    channel.release()
  } else {
    await channel.respond(answer, message)
  }
  running.end()
}

const streamOf = (stream: ServerStream | undefined): EventStream | undefined =>
  stream === undefined ? undefined : scriptStreamOf(stream)

async function answerTo({ era, handlers, setup, onFault }: State, call: Call): Promise<CallAnswer> {
  try {
    const answer = await (handlers.get(call.method) ?? (one => era.answer(setup, one)))(call)
    if (answer === 'silence' || !('result' in answer)) return answer
    return { result: era.complete(setup, call.method, answer.result) }
  } catch (problem) {
    onFault(problem instanceof Error ? problem : new Error(String(problem)))
    return { error: { code: codes.internalError, message: 'Internal error' } }
  }
}
