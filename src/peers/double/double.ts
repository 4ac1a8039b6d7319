/**
 * Our server, as scripts for clients see it: it plays what it is told to a client under test, and keeps
 * everything that the client did. Nothing here judges.
 */
import type { Via } from '../../spec/catalogue.ts'
import type { Revision } from '../../spec/revision.ts'
import type { Json, JsonObject } from '../../wire/json-rpc.ts'
import type { Frame, HttpHead, MessageFrame } from '../../wire/log.ts'
import type { HttpBehaviour, HttpSeen, StdioBehaviour } from './behaviour.ts'
import type { CallHandler, Conversation } from './call.ts'

export type { HttpBehaviour, HttpSeen, StdioBehaviour } from './behaviour.ts'
export type { Call, CallAnswer, CallHandler, Channel, Conversation, EventStream } from './call.ts'

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
  /**
   * Refuses what a correct server refuses. Scripts leave it out: one fault of a client must not hide the others, and what it
   * sends is judged from the log.
   */
  strict?: true
  http?: Partial<HttpBehaviour>
  stdio?: Partial<StdioBehaviour>
}

export interface ServerDouble {
  readonly via: Via
  /** the revision that is tested */
  readonly revision: Revision
  on(method: string, handler: CallHandler): void
  readonly http: HttpBehaviour
  readonly stdio: StdioBehaviour
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
