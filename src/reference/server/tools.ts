/** What a feature of the reference server works with: its session, its client, and the policies in force. */
import type { JsonObject } from '../../wire/json-rpc.ts'
import type { Policies } from '../policies.ts'
import type { SessionView } from '../views.ts'
import type { Answer } from './answer.ts'
import type { TaskStore } from './task-store.ts'

export type Feature = (params: JsonObject, tools: Tools) => Answer | Promise<Answer>

export interface Tools {
  /** Asks the client; resolves with its response message. */
  ask(method: string, params?: JsonObject): Promise<JsonObject>
  notify(method: string, params: JsonObject): void
  /** Sends what belongs to no request. */
  announce(method: string, params?: JsonObject): void
  /** Closes the connection of this request; the client has to reconnect for what comes then. */
  closeConnection(): void
  cancelled(): boolean
  session: SessionView
  /** What the server has declared in this session. */
  capabilities: JsonObject
  /** The tasks of all sessions. */
  tasks: TaskStore
  policies: Policies
}
