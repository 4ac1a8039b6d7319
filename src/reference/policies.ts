/**
 * Every decision the reference server takes, as a value that can be replaced: a faulty server is
 * the reference with one policy exchanged, never an `if` in its code. The defaults are the correct
 * server for revision 2025-11-25.
 */
import { randomUUID } from 'node:crypto'
import { type Pager, pagesOf } from '../peers/server/pages.ts'
import { dialectOf, instanceProblems, UNKNOWN_DIALECT } from '../spec/json-schema.ts'
import { LOG_LEVELS } from '../spec/log-levels.ts'
import { STATEFUL } from '../spec/revision.ts'
import { clock } from '../wire/clock.ts'
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
import { defaultHttpPolicies, type HttpPolicies } from './http-policies.ts'
import { type ClientTaskRules, correctClientTasks } from './server/client-task-rules.ts'
import { completionProblem } from './server/completion-content.ts'
import type { Interaction } from './server/interaction.ts'
import { isInside } from './server/root-paths.ts'
import { correctTasks, type TaskRules } from './server/task-rules.ts'
import { correctStateless, type StatelessRules } from './stateless/rules.ts'
import type { SessionView } from './views.ts'

export interface Policies extends HttpPolicies {
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
  /** What a server without sessions decides about each request. */
  stateless: StatelessRules
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

  // surroundings
  sleep(ms: number): Promise<void>
  bind: string
}

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
  logs: (level, threshold) => threshold === undefined || LOG_LEVELS.indexOf(level) >= LOG_LEVELS.indexOf(threshold),
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
  stateless: correctStateless(),
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

  ...defaultHttpPolicies(),

  sleep: ms =>
    new Promise<void>(resolve => {
      clock().after(ms, resolve)
    }),
  bind: '127.0.0.1',
})
