/**
 * Every decision the reference client takes, as a value that can be replaced: a faulty client is the
 * reference with one policy exchanged, never an `if` in its code. The defaults are the correct client
 * for revision 2025-11-25. A policy that throws lets the client crash, but for those that answer a request.
 */
import { MAIN_REVISION, STATEFUL } from '../../spec/revision.ts'
import { RELATED_TASK } from '../../spec/tasks.ts'
import {
  at,
  codes,
  failure,
  isObject,
  type Json,
  type JsonObject,
  notification,
  parseJson,
} from '../../wire/json-rpc.ts'
import { createLineReader, type LineReader } from '../../wire/lines.ts'
import { declaredCapabilities, isOfClient, servesDeclared, undeclaredBy } from './capabilities.ts'
import { correctElicitation, type ElicitationRules } from './elicitation.ts'
import { correctFetches, type FetchRules } from './fetches.ts'
import { correctHttp, type HttpRules } from './http-rules.ts'
import { correctModern, type ModernRules } from './modern/rules.ts'
import { correctPages, type PageRules } from './pages.ts'
import { type ResultSeen, requestProblem, resultProblem } from './results.ts'
import { correctRoots, type RootsRules } from './roots.ts'
import { correctSampling, type SamplingRules } from './sampling.ts'
import type { Settings } from './settings.ts'
import type { ShutdownStep } from './shutdown.ts'
import { correctTaskCalls, type TaskCallRules } from './task-call-rules.ts'
import { correctReceiver, type ReceiverRules } from './tasks.ts'

export type Moment = 'before initialize' | 'initialize sent' | 'initialized' | 'closing'

export interface Greeting {
  method: string
  params?: JsonObject
  isNotification?: true
}

export interface ClientPolicies extends HttpRules {
  // lifecycle (basic/lifecycle)
  /** The revision that is offered, given the one that the user wants tested. */
  protocolVersion(tested: string | undefined): string
  acceptsVersion(answered: Json | undefined, offered: string): boolean
  /** What is declared; a revision older than the one that was offered knows less of it. */
  capabilities(settings: Settings, version: string): JsonObject
  clientInfo(version: string): JsonObject
  /** Messages that are sent at that moment, beside the handshake: there are none. */
  greets(when: Moment): Greeting[]
  /** Whether notifications/initialized is sent. */
  announcesReady: boolean
  initializeTimeoutMs: number

  // requests of the client
  /** Gives the ids, of all sessions of the client. */
  ids(): () => Json
  /** The limit of a request, where the user sets none; and the one that no progress can move. */
  timeoutMs: number
  maximumMs: number
  /** Whether a progress notification starts the limit anew. */
  progressExtends: boolean
  /** What is sent when a request is given up. */
  onGiveUp(request: JsonObject, reason: string): JsonObject[]
  /** Whether it is then forgotten. */
  stopsWaiting: boolean
  /** A progress token that no request had before: that of a task lives on when its request is answered. */
  progressToken(active: readonly Json[]): Json
  onProgress(params: JsonObject, known: boolean): void
  /** The params as they go out. */
  params(method: string, params: JsonObject | undefined): JsonObject | undefined
  /** Why the server is not asked that, by what it has declared. */
  undeclared(capabilities: JsonObject, method: string, version: string): string | undefined
  /** Whether a client says that at all. */
  speaks(method: string, part: 'request' | 'notification', version: string): boolean
  /** Whether a resource may be unsubscribed. */
  unsubscribes(uri: Json | undefined, subscribed: ReadonlySet<Json | undefined>): boolean
  /** The name of a tool as it is called. */
  toolName(name: Json | undefined, listed: readonly string[]): Json | undefined
  /** What makes a result unusable. */
  resultProblem(seen: ResultSeen): string | undefined
  /** Pings of the client's own: there are none without an interval (basic/utilities/ping). */
  pings: { everyMs: number | undefined; timeoutMs: number; unanswered: 'disconnect' | 'go on' }

  // messages
  parse(text: string): Json | undefined
  /** Sees each message first. */
  notices(message: Json): void
  /** What is said to text that is no JSON, and to JSON that is no message. */
  onUnparsable(text: string): JsonObject | undefined
  onInvalid(json: Json): JsonObject | undefined
  /** Arrays of messages: part of 2025-03-26 only. */
  batch(version: string): 'refuse' | 'take'
  /** What is sent upon a response that nobody waits for. */
  onUnknownResponse(message: JsonObject): JsonObject[]
  /** The answer to a notification: there is none. */
  onNotification(message: JsonObject): JsonObject | undefined

  // requests of the server
  /** Whether such a request is served, by what the client has declared. */
  serves(method: string, declared: JsonObject): boolean
  onUnknownRequest(message: JsonObject): JsonObject | undefined
  /** What is wrong with its params. */
  requestProblem(message: JsonObject, version: string): string | undefined
  /** The answer to a request whose handling threw; what is thrown here ends the client. */
  onException(problem: unknown, message: JsonObject): JsonObject | undefined
  onPing(message: JsonObject): JsonObject
  /** What is told of the work on such a request, spread over the time that it takes (basic/utilities/progress). */
  reports(message: JsonObject, version: string): JsonObject[]
  /** A result with the task that it belongs to (basic/utilities/tasks#associating-task-related-messages). */
  relates(result: JsonObject, message: JsonObject): JsonObject
  /** Whether the answer to a cancelled request is held back, and what then becomes of it. */
  stopsWhenCancelled: boolean
  onCancelled(answer: JsonObject | undefined): JsonObject | undefined
  /** Whether the server is answered while the client itself waits for an answer. */
  answersWhilePending: boolean
  /** Milliseconds before an answer goes out. */
  delay(message: JsonObject): number
  /** True: the request is never answered. */
  drops(message: JsonObject): boolean

  // features
  roots: RootsRules
  sampling: SamplingRules
  elicitation: ElicitationRules
  /** Tasks that the server gives to the client, and calls of the client that become tasks. */
  tasks: ReceiverRules
  taskCalls: TaskCallRules
  pages: PageRules
  fetching: FetchRules

  /** Revisions without sessions. */
  modern: ModernRules

  // stdio (basic/transports#stdio)
  /** The words with which the server is started; undefined: it is not. */
  launches(words: readonly string[]): readonly string[] | undefined
  reader(onLine: (text: string) => void): LineReader
  /** Text around a message. */
  frame(text: string): string
  /** Text before the first message, and behind the last one. */
  banner: string
  farewell: string
  failsOnStderr(text: string): boolean
  /** Whether the end of the server is the end of the connection. */
  noticesEnd(): boolean
  /** How the server is made to end (basic/lifecycle#stdio). */
  shutdown: readonly ShutdownStep[]

  /** How text becomes bytes. */
  encode(text: string): Uint8Array
  /** What is done when the server has forgotten the session, and how often. */
  onExpired: 'open anew' | 'go on' | 'stop'
  maxRenewals: number
  /** Exit codes. */
  exits: { done: number; failed: number; unknownScenario: number; crashed: number }
}

const REQUEST_TIMEOUT_MS = 60_000
/** A server that starts slowly is still in time; a user who waits for a dead one soon knows. */
const INITIALIZE_TIMEOUT_MS = 10_000
const MAXIMUM_MS = 600_000
const EXIT_WAIT_MS = 2_000
/** From that revision on there is more than a name and a version. */
const TITLE_SINCE = '2025-06-18'
/** From that revision on a progress notification may have a text. */
const MESSAGE_SINCE = '2025-03-26'
const REPORTS = ['Reading the request', 'Thinking it over', 'Writing the answer']
/** A server that forgets every session is not asked without end. */
const MAX_RENEWALS = 3

function numbered(prefix: string): () => string {
  let last = 0
  return () => {
    last += 1
    return `${prefix}${last}`
  }
}

export const correctClient = (): ClientPolicies => ({
  protocolVersion: tested => STATEFUL.find(version => version === tested) ?? MAIN_REVISION,
  // Newer than the newest one of the client: it cannot know it.
  acceptsVersion: (answered, offered) => STATEFUL.some(version => version === answered && version <= offered),
  capabilities: declaredCapabilities,
  clientInfo: version => ({
    name: 'mcp-conformance-reference-client',
    ...(version >= TITLE_SINCE ? { title: 'Reference client of mcp-conformance' } : {}),
    version: '0.1.0',
  }),
  greets: () => [],
  announcesReady: true,
  initializeTimeoutMs: INITIALIZE_TIMEOUT_MS,

  ids: () => {
    let last = 0
    return () => {
      last += 1
      return last
    }
  },
  timeoutMs: REQUEST_TIMEOUT_MS,
  maximumMs: MAXIMUM_MS,
  progressExtends: false,
  // The first request cannot be cancelled (basic/utilities/cancellation#behavior-requirements).
  onGiveUp: ({ id, method }, reason) =>
    method === 'initialize' ? [] : [notification('notifications/cancelled', { requestId: id, reason })],
  stopsWaiting: true,
  progressToken: numbered('progress-'),
  onProgress: () => {},
  params: (_method, params) => params,
  undeclared: undeclaredBy,
  speaks: isOfClient,
  unsubscribes: (uri, subscribed) => subscribed.has(uri),
  toolName: name => name,
  resultProblem,
  pings: { everyMs: undefined, timeoutMs: 10_000, unanswered: 'disconnect' },

  parse: parseJson,
  notices: () => {},
  onUnparsable: () => undefined,
  onInvalid: () => undefined,
  batch: version => (version === '2025-03-26' ? 'take' : 'refuse'),
  onUnknownResponse: () => [],
  onNotification: () => undefined,

  serves: servesDeclared,
  onUnknownRequest: message => failure(message.id, codes.methodNotFound, 'Method not found'),
  requestProblem,
  onException: (_problem, message) => failure(message.id, codes.internalError, 'Internal error'),
  onPing: () => ({}),
  reports(message, version) {
    const progressToken = at(message, 'params', '_meta', 'progressToken')
    if (progressToken === undefined) return []
    return REPORTS.map((text, index) => ({
      progressToken,
      progress: index + 1,
      total: REPORTS.length,
      ...(version >= MESSAGE_SINCE ? { message: text } : {}),
    }))
  },
  relates(result, { method, params }) {
    const meta = isObject(params) && isObject(params._meta) ? params._meta : {}
    const related = meta[RELATED_TASK]
    // These say themselves which task they are about.
    if (related === undefined || String(method).startsWith('tasks/')) return result
    return { ...result, _meta: { ...(isObject(result._meta) ? result._meta : {}), [RELATED_TASK]: related } }
  },
  stopsWhenCancelled: true,
  onCancelled: () => undefined,
  answersWhilePending: true,
  delay: () => 0,
  drops: () => false,

  roots: correctRoots(),
  sampling: correctSampling(),
  elicitation: correctElicitation(),
  tasks: correctReceiver(),
  taskCalls: correctTaskCalls(),
  pages: correctPages(),
  fetching: correctFetches(),
  modern: correctModern(),

  launches: words => words,
  reader: onLine => createLineReader(line => onLine(line.text)),
  frame: text => `${text}\n`,
  banner: '',
  farewell: '',
  failsOnStderr: () => false,
  noticesEnd: () => true,
  shutdown: [
    { does: 'close stdin', waitMs: EXIT_WAIT_MS },
    { does: 'SIGTERM', waitMs: EXIT_WAIT_MS },
    { does: 'SIGKILL', waitMs: EXIT_WAIT_MS },
  ],

  encode: text => Buffer.from(text, 'utf8'),
  onExpired: 'open anew',
  maxRenewals: MAX_RENEWALS,
  exits: { done: 0, failed: 1, unknownScenario: 127, crashed: 70 },
  ...correctHttp(),
})
