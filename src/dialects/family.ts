/**
 * What differs between the families of protocol revisions, as one interface. A family says how a
 * conversation is opened, what each message needs, how a barrier is set, how a request is cancelled,
 * how the other side gets its answers, how changes are watched and how the conversation ends. These
 * are values: nothing here sends anything, and nobody else compares revisions.
 */
import type { Via } from '../spec/catalogue.ts'
import type { FamilyName, Revision } from '../spec/revision.ts'
import type { Json, JsonObject, RequestId } from '../wire/json-rpc.ts'
import type { HeaderList } from '../wire/log.ts'

/** Who we say we are and what we can do. */
export interface Hello {
  protocolVersion?: string
  capabilities?: JsonObject
  clientInfo?: JsonObject
}

/** What the server says of itself: the answer to the first request, whatever its family calls it. */
export interface ServerDescription {
  /** the version that is spoken from now on */
  protocolVersion?: string
  /** every version that it names */
  versions: readonly string[]
  capabilities: JsonObject
  serverInfo?: Json
  instructions?: string
}

/** A method and what goes with it. */
export interface Call {
  method: string
  params: JsonObject
}

/** How a request is given up: by a notification, or by closing the stream that answers it. */
export type Cancelling = { by: 'notification'; method: string; params: JsonObject } | { by: 'closing' }

/** What is to be watched; families that cannot choose send everything. */
export interface WatchFilter {
  toolsListChanged?: boolean
  promptsListChanged?: boolean
  resourcesListChanged?: boolean
  resourceSubscriptions?: string[]
}

/** How changes are watched: on a stream of its own, by a request that stays open, or simply by reading on. */
export type Watching = { by: 'get'; headers: HeaderList } | { by: 'request'; call: Call } | { by: 'reading' }

/** What a result asks of us before the request can be completed. */
export interface InputRequired {
  requests: { key: string; method: string; params: JsonObject }[]
  state?: string
}

export interface Terms {
  revision: Revision
  via: Via
  hello: Hello
}

export interface Family {
  readonly name: FamilyName
  /** Methods that a living server answers, the best one first: sent behind a probe, one of them is the barrier. */
  readonly barriers: readonly string[]
  /** `responses`: we answer the server's requests. `retries`: we send ours again, with what it asked for. */
  readonly answersBy: 'responses' | 'retries'
  /** What each request of the server is answered with, whatever we have declared. */
  readonly alwaysAnswered: Readonly<Record<string, JsonObject>>
  converse(terms: Terms): Conversation
}

/** One conversation in the words of its family; it remembers what was agreed. */
export interface Conversation {
  readonly family: Family
  /** The revision that is spoken: what was agreed, or before that what we offer. */
  readonly revision: Revision
  /** The request by which both sides get to know each other. */
  readonly opening: Call
  /** Takes the answer to it, with the header fields that came along. */
  agree(result: Json, headers?: HeaderList): void
  readonly description: ServerDescription | undefined
  readonly sessionId: string | undefined
  /** The notification that follows the answer, where there is one. */
  readonly confirmation: string | undefined
  /** The message with all that the family wants in it; what the caller set stays. */
  decorate(message: JsonObject): JsonObject
  /** The header fields of an HTTP request; the message in its body is looked at only where that matters. */
  headers(message: () => Json | undefined): HeaderList
  /** Sees every message of the server, for what later requests need to know. */
  learn(message: Json | undefined): void
  cancel(id: RequestId, reason?: string): Cancelling
  /** How a stream that broke off is taken up again; undefined where the request has to be sent anew. */
  resume(lastEventId: string): HeaderList | undefined
  watch(filter: WatchFilter): Watching
  /** What a result asks for; undefined where the request is completed. */
  inputsOf(result: Json): InputRequired | undefined
  /** The HTTP method that ends the conversation; undefined where there is nothing to end. */
  readonly farewell: string | undefined
}

export const OUR_CLIENT = { name: 'mcp-conformance', version: '0.1.0' }
