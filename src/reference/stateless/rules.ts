/** What a server without sessions decides about each request, as values that can be replaced. The defaults are correct. */
import type { Exchange } from '../../peers/server/endpoint.ts'
import { META, textOfHeader } from '../../spec/request-metadata.ts'
import { type Revision, revisionsOf } from '../../spec/revision.ts'
import { codes, type Json, type JsonObject } from '../../wire/json-rpc.ts'

/** Why a request is refused. */
export interface Problem {
  code: number
  message?: string
  data?: Json
}

/** How a header field relates to what it repeats. */
export type Likeness = 'same' | 'other' | 'missing'

export type MirroredHeader = 'MCP-Protocol-Version' | 'Mcp-Method' | 'Mcp-Name'

export interface StatelessRules {
  versions: readonly string[]
  /** Whether a request in that version is served. */
  serves(version: string, versions: readonly string[], method: string): boolean
  onVersion(requested: string, versions: readonly string[]): Problem
  /** The members that `_meta` has to have. */
  required: readonly string[]
  onMissing(name: string): Problem
  /** A client that wants a session. */
  onInitialize(versions: readonly string[]): Problem
  /** The answer to server/discover; undefined: there is no such method. */
  onDiscover(result: JsonObject): JsonObject | undefined
  /** Those of the needed capabilities that the request does not declare. */
  lacks(needed: JsonObject, declared: JsonObject): JsonObject | undefined
  onLack(needed: JsonObject): Problem

  // HTTP
  /** The value of a header field. */
  header(exchange: Exchange, name: MirroredHeader): string | undefined
  versionHeader(value: string | undefined, inMessage: string): Likeness
  methodHeader(value: string | undefined, inMessage: string): Likeness
  nameHeader(value: string | undefined, inMessage: string): Likeness
  onHeader(name: MirroredHeader, problem: Likeness): Problem
  /** The status of an answer, given what is usual for it. */
  statusOf(usual: number): number
  answerBy(method: string): 'json' | 'sse'
}

const SERVED: Revision[] = revisionsOf('stateless')

const likeness = (value: string | undefined, inMessage: string): Likeness =>
  value === undefined ? 'missing' : value === inMessage ? 'same' : 'other'

export const correctStateless = (): StatelessRules => ({
  versions: SERVED,
  serves: (version, versions) => versions.includes(version),
  onVersion: unsupported,
  required: [META.version, META.capabilities],
  onMissing: name => ({ code: codes.invalidParams, message: `_meta has no ${name}` }),
  onInitialize: versions => unsupported(undefined, versions),
  onDiscover: result => result,
  lacks(needed, declared) {
    const missing = Object.entries(needed).filter(([name]) => declared[name] === undefined)
    return missing.length === 0 ? undefined : Object.fromEntries(missing)
  },
  onLack: requiredCapabilities => ({
    code: codes.missingClientCapability,
    message: 'The request does not declare a capability that it needs',
    data: { requiredCapabilities },
  }),

  header: (exchange, name) => exchange.header(name.toLowerCase()),
  versionHeader: likeness,
  methodHeader: likeness,
  nameHeader: (value, inMessage) => likeness(value === undefined ? undefined : (textOfHeader(value) ?? ''), inMessage),
  onHeader: (name, problem) => ({
    code: codes.headerMismatch,
    message: problem === 'missing' ? `${name} is missing` : `${name} differs from the message`,
  }),
  statusOf: usual => usual,
  answerBy: method => (method === 'tools/call' ? 'sse' : 'json'),
})

function unsupported(requested: string | undefined, versions: readonly string[]): Problem {
  return {
    code: codes.unsupportedVersion,
    message: 'Unsupported protocol version',
    data: { supported: [...versions], ...(requested === undefined ? {} : { requested }) },
  }
}
