/** What policies see of a session. */
import type { JsonObject } from '../wire/json-rpc.ts'

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
