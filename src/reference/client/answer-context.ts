/** What the answers to a server are made of: what the client is set up with, and the session in which it is asked. */
import type { Json, JsonObject } from '../../wire/json-rpc.ts'
import type { Clock } from './clock.ts'
import type { UserInterface } from './elicitation.ts'
import type { Agreement } from './handshake.ts'
import type { ClientPolicies } from './policies.ts'
import type { Settings } from './settings.ts'
import type { TaskDesk } from './tasks.ts'

/** What the client answers with, in all its sessions. */
export interface AnswerContext {
  policies: ClientPolicies
  clock: Clock
  settings: Settings
  tasks: TaskDesk
  /** tells the sessions apart */
  owner: string
  user(): Omit<UserInterface, 'settings'>
  crash(problem: unknown): void
}

/** The session in which the server asks. */
export interface Asking {
  send(message: Json, cause?: JsonObject): Promise<void>
  /** as far as it stands now */
  agreement: Readonly<Agreement>
  /** Resolves when no request of the client's own waits for its answer. */
  whenIdle(): Promise<void>
}
