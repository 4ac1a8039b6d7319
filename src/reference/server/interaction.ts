/** What a user does at a page of the server, beside the client (client/elicitation#url-mode). */
import type { JsonObject } from '../../wire/json-rpc.ts'

/** An interaction by URL that is not finished. */
export interface Interaction {
  id: string
  /** whom it concerns: see `Policies.userOf` */
  user: unknown
  /** tells the client that was asked */
  announce(method: string, params?: JsonObject): void
}
