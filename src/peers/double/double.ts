/**
 * Our server, as scripts for clients see it: it plays what it is told to a client under test, and keeps
 * everything that the client did. Nothing here judges.
 */
import type { Via } from '../../spec/catalogue.ts'
import type { Revision } from '../../spec/revision.ts'
import type { Json, JsonObject, RequestId } from '../../wire/json-rpc.ts'
import type { Frame, HeaderList, HttpHead, MessageFrame } from '../../wire/log.ts'
import type { Answer } from '../correlator.ts'
import type { Reply } from '../reply.ts'

/** What becomes of a request of the client. */
export type CallAnswer =
  | Answer
  /** anything in place of a response: several messages, a response with a wrong id, a batch */
  | { messages: Json[] }
  /** the text as it is in place of a response */
  | { text: string }
  /** HTTP: the request is refused below JSON-RPC; over stdio it stays without answer */
  | { http: { status: number; headers?: HeaderList; body?: string } }

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
  event(fields: { id?: string; event?: string; retry?: number; data?: string; comment?: string }): Promise<boolean>
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

/** From one `initialize` on: what the transport calls a session. */
export interface Conversation extends Channel {
  /** the label in the log */
  readonly session: string
  readonly sessionId: string | undefined
  /** the params of its `initialize` */
  readonly hello: JsonObject
  readonly capabilities: JsonObject
  /** the negotiated version */
  readonly version: string
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

/** How event streams are written. */
export interface SseLayout {
  newline?: '\n' | '\r\n' | '\r'
  /** a comment line in front of each event */
  comments?: boolean
  /** the `event` field; none where it is absent */
  name?: string
  /** JSON spread over several data lines */
  multiline?: boolean
  /** bytes that are written at a time, with a pause between */
  chunk?: number
  /** no blank after the colon */
  tight?: boolean
}

export interface HttpManners {
  path: string
  /** The session id that goes with the answer to `initialize`; undefined: none is used. */
  sessionId(): string | undefined
  /** How a request is answered; where something has to be sent first, an event stream is opened anyway. */
  answerBy(message: JsonObject): 'json' | 'sse'
  contentType: string
  layout: SseLayout
  /** Events have ids, and streams can be resumed. */
  ids: boolean
  eventId(stream: number, count: number): string
  /** Each stream begins with an event that has an id and empty data. */
  primes: boolean
  retryMs: number | undefined
  /** GET: a stream, or a refusal with that status. */
  get: 'stream' | number
  /** The status of the answer to DELETE. */
  deletion: number
  /** The status for notifications and responses. */
  acceptedStatus: number
  /** The status of a request in a session that is not known (any more). */
  unknownSession: number
  /** Sees each request first; true: it has answered itself. */
  intercept?(request: HttpSeen, responder: Responder): boolean | Promise<boolean>
}

export interface HttpSeen {
  method: string
  /** path and query */
  target: string
  headers: HeaderList
  body: string
  json?: Json
  /** by its session id */
  conversation: Conversation | undefined
  at: number
  /** the frames of its head and of its message */
  frames: Frame[]
  session: string
}

export interface Responder {
  head(status: number, headers?: HeaderList): void
  write(bytes: string | Uint8Array): Promise<void>
  end(bytes?: string | Uint8Array): void
  cut(): void
}

export interface StdioManners {
  /** What the server does when its stdin ends, and when it gets SIGTERM. */
  onEof: 'exit' | 'stay'
  onTerminate: 'exit' | 'stay'
  /** Written to stderr as soon as it runs. */
  complains: string
}

export interface ToolDefinition extends JsonObject {
  name: string
}

/** What the server is like; scripts give the parts that matter to them. */
export interface ServerSetup {
  /** The version answered to the one that was asked for; by default the same, where it is known. */
  negotiate?(asked: Json | undefined): Json
  capabilities?: JsonObject
  serverInfo?: JsonObject
  instructions?: string
  /** more members of the answer to `initialize` */
  more?: JsonObject
  tools?: ToolDefinition[]
  calls?: Record<string, CallHandler>
  prompts?: JsonObject[]
  resources?: JsonObject[]
  templates?: JsonObject[]
  /** By method; they come before everything that the server can do by itself. */
  handlers?: Record<string, CallHandler>
  http?: Partial<HttpManners>
  stdio?: Partial<StdioManners>
}

export interface ServerDouble {
  readonly via: Via
  /** the revision that is tested */
  readonly revision: Revision
  on(method: string, handler: CallHandler): void
  readonly http: HttpManners
  readonly stdio: StdioManners
  readonly conversations: readonly Conversation[]
  /** The conversation of that number (the first is 1), once the client has sent `notifications/initialized`. */
  opened(number?: number, withinMs?: number): Promise<Conversation | undefined>
  /** How often the client has started the server; over HTTP 0. */
  readonly launches: number
  /** HTTP: everything that came, in order. */
  readonly requests: readonly HttpSeen[]
  /** Resolves when a message of the client fits, those that have come included. */
  heard(fits: (message: JsonObject) => boolean, withinMs: number): Promise<MessageFrame | undefined>
  /** Messages of the client in all conversations. */
  readonly messages: readonly MessageFrame[]
  /** The client has ended: nothing more will come. */
  readonly isOver: boolean
  /** Lets time pass; ends early when the client has ended. */
  pause(ms: number): Promise<void>
  /** milliseconds since the log began, as in frames */
  now(): number
  /** Puts into the log what goes to or from another place of ours than the endpoint. */
  recordElsewhere(head: HttpHead): Frame
}
