/**
 * What differs between protocol revisions on the wire: how a conversation is opened, what each
 * request carries, and how liveness is asked. The only place where a revision is compared.
 */
import type { Revision } from '../spec/revision.ts'
import type { Json, JsonObject } from '../wire/json-rpc.ts'
import type { HeaderList } from '../wire/log.ts'

/** Who we say we are and what we can do, when we open a conversation. */
export interface Hello {
  protocolVersion?: string
  capabilities?: JsonObject
  clientInfo?: JsonObject
}

export interface Opening {
  protocolVersion?: string
  capabilities: JsonObject
  serverInfo?: Json
}

export interface Dialect {
  /** The request that opens the conversation. */
  opening(hello: Hello): { method: string; params: JsonObject }
  /** What the answer to it says. */
  opened(result: Json): Opening
  /** The notification that follows, where there is one. */
  readonly confirmation?: string
  /** The request that every living peer answers. */
  readonly liveness: string
  /** HTTP header fields of every request after the opening. */
  headers(opening: Opening | undefined): HeaderList
}

export type DialectFor = (revision: Revision) => Dialect
