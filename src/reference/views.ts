/** What policies see of a session and of a stream, and how they refuse over HTTP. */
import type { JsonObject } from '../wire/json-rpc.ts'

/** HTTP refusal: the status and a word for the body. */
export interface Refusal {
  status: number
  reason: string
}

export interface SessionView {
  id: string
  version: string | undefined
  /** who opened it, where the server asks for that */
  user?: string
  ended: boolean
  initialized: boolean
  clientCapabilities: JsonObject
  /** what `logging/setLevel` said last */
  logLevel?: string
  /** the paths of the roots, once the client has told them */
  roots?: readonly string[]
}

export interface StreamView {
  id: string
  kind: 'post' | 'get'
  session: string
}
