/**
 * Every decision the reference server takes, as a value that can be replaced: a faulty server is
 * the reference with one policy exchanged, never an `if` in its code. The defaults are the correct
 * server for revision 2025-11-25.
 */
import { randomUUID } from 'node:crypto'
import { dialectOf, instanceProblems, UNKNOWN_DIALECT } from '../spec/json-schema.ts'
import { STATEFUL } from '../spec/revision.ts'
import {
  codes,
  failure,
  isObject,
  isRequestId,
  type Json,
  type JsonObject,
  notification,
  parseJson,
} from '../wire/json-rpc.ts'
import { createLineReader, type LineReader } from '../wire/lines.ts'
import { type ClientTaskRules, correctClientTasks } from './server/client-task.ts'
import type { Interaction } from './server/elicitation.ts'
import { createEventStore, type EventStore } from './server/event-store.ts'
import { LEVELS } from './server/logging.ts'
import { type Pager, pagesOf } from './server/pages.ts'
import { isInside } from './server/roots.ts'
import { completionProblem } from './server/sampling.ts'
import { correctTasks, type TaskRules } from './server/tasks.ts'

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

export interface Policies {
  // lifecycle
  versions: readonly string[]
  /** The version answered to the one asked for. */
  negotiate(requested: Json | undefined): string
  capabilities: JsonObject
  serverInfo: JsonObject
  instructions: string | undefined
  /** What happens to a request that comes before `initialize`. */
  beforeInitialize(method: string): 'serve' | 'refuse'
  /** What the server sends right after `initialize` was answered, after `initialized` came, and when the roots changed. */
  greets(when: 'answered' | 'initialized' | 'roots changed', session: SessionView): JsonObject[]
  /** Milliseconds after which a request of the server's own is given up (basic/lifecycle#timeouts). */
  askTimeoutMs: number
  /** What is sent when that happens. */
  onAskTimeout(request: JsonObject, why: string): JsonObject[]
  /** Whether a log message is sent, where the client set a level (server/utilities/logging#message-flow). */
  logs(level: string, threshold: string | undefined): boolean
  /** Whether a path lies in the roots of the client (client/roots#security-considerations). */
  insideRoots(path: string, roots: readonly string[]): boolean
  /** Whether the work on a cancelled request ends (basic/utilities/cancellation#behavior-requirements). */
  stopsWhenCancelled: boolean
  /** The answer to a cancelled request, given what it would have been: there is none. */
  onCancelled(answer: JsonObject): JsonObject | undefined
  /** Whether a call of `called` is a call of the tool `listed` (server/tools#tool-names). */
  namesTool(called: Json | undefined, listed: string): boolean
  /** Where the requests of the server wait for their answers; each session has its own. */
  questions(): Map<string, (answer: JsonObject) => void>
  /** What is wrong with the arguments of a tool, by its inputSchema. */
  argumentProblems(inputSchema: Json | undefined, args: JsonObject): string | undefined
  /** How lists are cut into pages: the page behind a cursor, undefined where it is none of the server's own. */
  page: Pager
  /** Tasks of the server's own, and those that it gives to the client. */
  tasks: TaskRules
  clientTasks: ClientTaskRules
  /** Methods that the server offers beyond its features, for faults of honesty. */
  extraMethods: Record<string, (params: JsonObject) => JsonObject>

  // elicitation and sampling
  /** Whether the client takes elicitations of that mode. */
  elicits(mode: 'form' | 'url', session: SessionView): boolean
  /** Whether a user who said no to a form is asked once more. */
  insists(action: 'decline' | 'cancel'): boolean
  /** What is wrong with the answer to a form. */
  answerProblems(requestedSchema: JsonObject, content: Json | undefined): string | undefined
  /** Whom the state belongs to that is kept about a user. */
  userOf(session: SessionView): unknown
  elicitationIds(): string
  /** Who is told that an interaction by URL is finished. */
  hears(finished: Interaction, others: readonly Interaction[]): readonly Interaction[]
  /** Whether the client takes sampling requests with tools. */
  samplesWithTools(session: SessionView): boolean
  /** What is wrong with a completion. */
  completionProblem(answer: Json): string | undefined
  /** How often the model is asked in one loop over its tools. */
  samplingRounds: number

  // messages
  parse(text: string): Json | undefined
  /** The answer to text that is no JSON. */
  onUnparsable(text: string): JsonObject | undefined
  /** The answer to JSON that is no message. */
  onInvalid(json: Json): JsonObject | undefined
  onUnknownMethod(message: JsonObject): JsonObject | undefined
  /** The answer to a request whose handling threw. */
  onException(message: JsonObject): JsonObject | undefined
  /** The answer to a notification: there is none. */
  onNotification(message: JsonObject): JsonObject | undefined
  /** Arrays of messages: part of 2025-03-26 only. */
  batch(version: string | undefined): 'refuse' | 'answer'
  /** The shape of the answer to a batch. */
  joinBatch(answers: Json[]): Json[]
  /** Milliseconds before the answer to a request goes out. */
  delay(message: JsonObject): number
  /** True: the request is never answered. */
  drops(message: JsonObject): boolean

  // stdio
  reader(onLine: (text: string) => void): LineReader
  /** Text around a message on stdout. */
  frame(text: string): string
  banner: string
  farewell: string
  onEof: 'exit' | 'stay'
  onTerminate: 'exit' | 'stay'

  // HTTP
  origin(origin: string | undefined): Refusal | undefined
  host(host: string | undefined): Refusal | undefined
  /** Who sends a request, by its Authorization header: nobody in particular on an open server. */
  identify(authorization: string | undefined): { user?: string } | Refusal
  /** The session belongs to another user. */
  foreignSession(): Refusal | undefined
  accept(method: string, accept: string | undefined): Refusal | undefined
  contentType(contentType: string | undefined): Refusal | undefined
  versionHeader(value: string | undefined, session: SessionView | undefined, method: string): Refusal | undefined
  sessionIds(): string | undefined
  missingSession(message: Json | undefined, method: string): Refusal | undefined
  unknownSession(id: string, method: string): Refusal | undefined
  endedSession(id: string, method: string): Refusal | undefined
  /** DELETE: whether the session really ends, and the status; its open streams end with it, unless told otherwise. */
  deletion(session: SessionView): { ends: boolean; status: number; leavesStreams?: true }
  get(session: SessionView | undefined): Refusal | undefined
  answerBy(message: JsonObject): 'json' | 'sse'
  notificationStatus(message: JsonObject): { status: number; body: string }
  malformedStatus: number
  /** The text of a body, which may come in several reads. */
  readBody(chunks: readonly Uint8Array[]): string
  /** A connection brought no HTTP, or ended before its request was whole. */
  onBrokenRequest(): void
  /** Several GET streams in one session. */
  secondGet(session: SessionView): Refusal | undefined

  // streams
  store(): EventStore
  eventId(stream: StreamView, count: number): string | undefined
  /** Milliseconds in the `retry` field, sent with the priming event. */
  retryMs: number | undefined
  primes(stream: StreamView): boolean
  /** Which open streams get a message that belongs to no request. */
  route(open: readonly StreamView[]): readonly StreamView[]
  /** True: a notification that belongs to a request goes where those go that belong to none. */
  strays(method: string): boolean
  /** Whether a tool may close the connection of its stream and let the client poll (part of 2025-11-25). */
  polls(version: string | undefined): boolean
  /** The connection of a GET stream is closed behind that many events, and the stream goes on. */
  closesGetAfter: number | undefined
  /** How text becomes bytes. */
  encoding: 'utf8' | 'latin1'
  /** After the response the stream ends. */
  endsAfterResponse: boolean
  /** What a dropped connection does to the request. */
  onDisconnect(): 'continue' | 'cancel'

  // surroundings
  sleep(ms: number): Promise<void>
  bind: string
}

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?$/i

const refuse = (status: number, reason: string): Refusal => ({ status, reason })

export const defaultPolicies = (): Policies => ({
  versions: STATEFUL,
  negotiate(requested) {
    return this.versions.includes(String(requested)) ? String(requested) : (this.versions.at(-1) as string)
  },
  capabilities: {
    tools: { listChanged: true },
    resources: { subscribe: true, listChanged: true },
    prompts: { listChanged: true },
    completions: {},
    logging: {},
    tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } },
  },
  serverInfo: {
    name: 'mcp-conformance-reference',
    title: 'Reference server of mcp-conformance',
    version: '0.1.0',
  },
  instructions: 'A server that does what the specification says.',
  beforeInitialize: method => (method === 'ping' || method === 'initialize' ? 'serve' : 'refuse'),
  greets: (when, session) =>
    when !== 'answered' && isObject(session.clientCapabilities.roots) ? [{ method: 'roots/list' }] : [],
  askTimeoutMs: 60_000,
  onAskTimeout: ({ id }, why) => [notification('notifications/cancelled', { requestId: id, reason: why })],
  logs: (level, threshold) => threshold === undefined || LEVELS.indexOf(level) >= LEVELS.indexOf(threshold),
  insideRoots: isInside,
  stopsWhenCancelled: true,
  onCancelled: () => undefined,
  namesTool: (called, listed) => called === listed,
  questions: () => new Map(),
  argumentProblems(inputSchema, args) {
    const problem = instanceProblems(inputSchema, args)
    return problem === UNKNOWN_DIALECT
      ? `the JSON Schema dialect ${dialectOf(inputSchema)} is not supported by this server`
      : problem
  },
  page: pagesOf(Number.POSITIVE_INFINITY),
  tasks: correctTasks(),
  clientTasks: correctClientTasks(),
  extraMethods: {},

  elicits(mode, { clientCapabilities: { elicitation }, version = '' }) {
    if (!isObject(elicitation)) return false
    if (mode === 'url') return isObject(elicitation.url) && version >= '2025-11-25'
    return isObject(elicitation.form) || elicitation.url === undefined
  },
  insists: () => false,
  answerProblems: instanceProblems,
  userOf: session => session.user ?? session,
  elicitationIds: () => randomUUID(),
  hears: finished => [finished],
  samplesWithTools: ({ clientCapabilities: { sampling }, version = '' }) =>
    isObject(sampling) && isObject(sampling.tools) && version >= '2025-11-25',
  completionProblem,
  samplingRounds: 10,

  parse: parseJson,
  onUnparsable: () => failure(undefined, codes.parseError, 'Parse error: the text is not JSON'),
  onInvalid(json) {
    const id = isObject(json) && isRequestId(json.id) ? json.id : undefined
    return failure(id, codes.invalidRequest, 'Invalid Request: this is no JSON-RPC 2.0 message of MCP')
  },
  onUnknownMethod: message => failure(message.id as Json, codes.methodNotFound, 'Method not found'),
  onException: message => failure(message.id as Json, codes.internalError, 'Internal error'),
  onNotification: () => undefined,
  batch: version => (version === '2025-03-26' ? 'answer' : 'refuse'),
  joinBatch: answers => [answers],
  delay: () => 0,
  drops: () => false,

  reader: onLine => createLineReader(line => onLine(line.text)),
  frame: text => `${text}\n`,
  banner: '',
  farewell: '',
  onEof: 'exit',
  onTerminate: 'exit',

  origin: origin =>
    origin === undefined || LOOPBACK.test(origin.replace(/^https?:\/\//i, ''))
      ? undefined
      : refuse(403, 'this Origin is not allowed'),
  host: host => (host !== undefined && LOOPBACK.test(host) ? undefined : refuse(403, 'this Host is not served')),
  identify: () => ({}),
  foreignSession: () => refuse(404, 'there is no such session'),
  accept(method, accept) {
    const listed = (accept ?? '').split(',').map(part => part.split(';')[0]?.trim().toLowerCase())
    const wanted = method === 'POST' ? ['application/json', 'text/event-stream'] : ['text/event-stream']
    return wanted.every(type => listed.includes(type))
      ? undefined
      : refuse(406, `Accept must list ${wanted.join(' and ')}`)
  },
  contentType: value =>
    value?.split(';')[0]?.trim().toLowerCase() === 'application/json'
      ? undefined
      : refuse(415, 'Content-Type must be application/json'),
  versionHeader(value) {
    return value === undefined || this.versions.includes(value)
      ? undefined
      : refuse(400, `MCP-Protocol-Version ${value} is not supported`)
  },
  sessionIds: () => randomUUID(),
  missingSession: () => refuse(400, 'MCP-Session-Id is missing'),
  unknownSession: () => refuse(404, 'there is no such session'),
  endedSession: () => refuse(404, 'the session has ended'),
  deletion: () => ({ ends: true, status: 204 }),
  get: () => undefined,
  // A poll is better answered without a stream (basic/utilities/tasks#input-required-status).
  answerBy: ({ method }) => (method === 'tasks/get' ? 'json' : 'sse'),
  notificationStatus: () => ({ status: 202, body: '' }),
  malformedStatus: 400,
  readBody: chunks => Buffer.concat(chunks).toString('utf8'),
  onBrokenRequest: () => {},
  secondGet: () => undefined,

  store: () => createEventStore(),
  eventId: (stream, count) => `${stream.id}_${count}`,
  retryMs: 100,
  primes: () => true,
  route: open => open.filter(stream => stream.kind === 'get').slice(0, 1),
  strays: () => false,
  polls: version => version !== undefined && version >= '2025-11-25',
  closesGetAfter: undefined,
  encoding: 'utf8',
  endsAfterResponse: true,
  onDisconnect: () => 'continue',

  sleep: ms =>
    new Promise(resolve => {
      setTimeout(resolve, ms)
    }),
  bind: '127.0.0.1',
})
