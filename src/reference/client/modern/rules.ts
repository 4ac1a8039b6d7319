/** How the client speaks where there is no session (2026-07-28), as values that can be replaced. The defaults are correct. */
import { META } from '../../../spec/request-metadata.ts'
import { isRevision, type Revision, revisionsOf } from '../../../spec/revision.ts'
import type { Json, JsonObject } from '../../../wire/json-rpc.ts'
import type { Reply } from '../reply.ts'
import type { Settings } from '../settings.ts'
import { mirrored } from './headers.ts'

export interface ModernRules {
  /** What each request says in `_meta`. */
  meta(about: { version: string; capabilities: JsonObject; clientInfo: JsonObject }): JsonObject
  /** What is declared, of what a client with sessions would declare. */
  capabilities(declared: JsonObject, settings: Settings): JsonObject
  /** Whether it asks first what the server is; else it takes it for one that can do everything. */
  discovers: boolean
  /** The version to go on with, of those that the server names; undefined: there is none. */
  chooses(supported: readonly Json[]): string | undefined
  /** How often a request is sent anew because the server wants another version. */
  maxRetries: number
  /** Whether the client then tries to open a session. */
  fallsBack(refused: Reply): boolean
  /** The header fields that repeat the message, but for the version. */
  headers(message: Json | undefined): Record<string, string>
  /** The answer to a request of the server: there is none. */
  onRequest(message: JsonObject): JsonObject | undefined
  /** Whether a result of that type can be used. */
  knowsResultType(type: Json | undefined): boolean
}

const SPOKEN: readonly Revision[] = revisionsOf('stateless')

export const isModern = (tested: string | undefined): tested is Revision =>
  isRevision(tested) && SPOKEN.includes(tested)

export const correctModern = (): ModernRules => ({
  meta: ({ version, capabilities, clientInfo }) => ({
    [META.version]: version,
    [META.capabilities]: capabilities,
    [META.clientInfo]: clientInfo,
  }),
  capabilities: ({ tasks: _tasks, roots, ...declared }) => ({
    ...declared,
    ...(roots === undefined ? {} : { roots: {} }),
  }),
  discovers: true,
  chooses: supported => SPOKEN.findLast(version => supported.includes(version)),
  maxRetries: 1,
  fallsBack: () => false,
  headers: mirrored,
  onRequest: () => undefined,
  knowsResultType: type => type === 'complete',
})
