/** What a script deals with: the requests of the client, the channels to speak on, and the conversations that they belong to. */
import type { Json, JsonObject, RequestId } from '../../wire/json-rpc.ts'
import type { Frame, MessageFrame } from '../../wire/log.ts'
import type { EventFields } from '../../wire/sse-writer.ts'
import type { Reply } from '../reply.ts'
import type { Outcome } from '../server/outcome.ts'

/** What becomes of a request of the client. */
export type CallAnswer = Outcome

export type CallHandler = (call: Call) => CallAnswer | Promise<CallAnswer>

export interface SendOptions {
  /** a deliberate fault of ours: the monitors must not judge what it is, nor what answers it */
  intended?: 'fault'
}

export interface AskOptions extends SendOptions {
  /** the id to use; else the next integer */
  id?: RequestId
  withinMs?: number
}

/** Where the server can speak: the channel of one request, or the one that belongs to none. */
export interface Channel {
  /** Sends a message as it is. False where the channel is not open. */
  push(message: Json, options?: SendOptions): Promise<boolean>
  notify(method: string, params?: JsonObject): Promise<boolean>
  /** Asks the client and waits for its answer. */
  ask(method: string, params?: JsonObject, options?: AskOptions): Promise<Reply>
  /** Writes bytes as they are: to stdout, or into the event stream. */
  bytes(raw: string | Uint8Array, options?: SendOptions): Promise<boolean>
}

/** One request of the client. */
export interface Call extends Channel {
  readonly method: string
  readonly params: JsonObject
  readonly id: Json
  readonly message: JsonObject
  readonly frame: MessageFrame
  readonly conversation: Conversation
  /** HTTP: the event stream of the answer; opened here, where it is not open yet. Over stdio undefined. */
  stream(): EventStream | undefined
  /** The client has cancelled this request; resolves with the notification. */
  readonly cancelled: Promise<MessageFrame>
  readonly isCancelled: boolean
}

/** One event stream that belongs to a request; it outlives the connection that carries it. */
export interface EventStream {
  /** An event as it is told; a message that has no event of its own goes out by `push` of its call. */
  event(fields: EventFields): Promise<boolean>
  raw(bytes: string | Uint8Array): Promise<boolean>
  /** Ends the connection in good order; what follows is kept for the client that resumes. */
  close(): Promise<void>
  /** Breaks the connection off. */
  cut(): void
  readonly connected: boolean
  /** The client came back for this stream: the Last-Event-ID that it gave, and when. */
  readonly resumptions: readonly { lastEventId: string; at: number; frame: Frame }[]
  resumed(withinMs: number): Promise<boolean>
  /** The id of the newest event, as far as it had one. */
  readonly lastEventId: string | undefined
}

/** From one `initialize` on: what the transport calls a session. Without sessions: all that one start of a client says to a server. */
export interface Conversation extends Channel {
  /** the label in the log */
  readonly session: string
  readonly sessionId: string | undefined
  /** the params of its `initialize`; without sessions the same, from the first request that was served */
  readonly hello: JsonObject
  readonly capabilities: JsonObject
  /** the negotiated version */
  readonly version: string
  /** the client is through the handshake, or a request of it was served that needs none */
  readonly initialized: boolean
  /** A channel that belongs to no request is open: stdout is, until stdin ends; over HTTP the GET stream. */
  readonly listening: boolean
  /** Waits for the GET stream; over stdio it is there at once. */
  listened(withinMs: number): Promise<boolean>
  /** HTTP: closes the GET streams in good order. Stdio: closes stdout. */
  hangUp(): Promise<void>
  /** HTTP: requests with this session id are answered 404 from now on. */
  forget(): void
  readonly forgotten: boolean
  /** HTTP: the client ended it by DELETE. Stdio: it closed stdin. */
  readonly ended: boolean
  /** Stdio: writes to stderr. */
  complain(text: string): Promise<boolean>
}
