/** The transport of a session: what goes out, and what comes of it. */
import type { Json, JsonObject } from '../../wire/json-rpc.ts'
import type { Tamper } from '../outgoing.ts'
import type { Clock } from './clock.ts'
import type { ClientPolicies } from './policies.ts'
import type { Reply } from './reply.ts'

export interface Link {
  /** Resolves when the other side has it, or never will; does not reject. */
  send(message: Json, cause: JsonObject | undefined): Promise<void>
  /** What the server answered to `initialize`. */
  agreed(version: string): void
  /** From now on the server may speak by itself. */
  listen(): void
  /** The end as the transport has it. */
  close(): Promise<void>
  /** The end at once. */
  destroy(): void
  readonly sessionId: string | undefined
}

export interface LinkEvents {
  /** The text of a message. */
  receive(text: string): void
  /** A request will have no answer, for that reason. */
  lost(id: Json, reply: Reply): void
  awaits(id: Json): boolean
  /** The server does not know the session any more: seen by something that is no request. */
  expired(): void
  /** Nothing comes or goes any more. */
  down(why: string): void
}

export interface LinkContext {
  policies: ClientPolicies
  tamper: Tamper
  clock: Clock
  crash(problem: unknown): void
}

export type OpenLink = (events: LinkEvents) => Link
