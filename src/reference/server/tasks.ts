/** Tasks of the reference server: requests that are accepted now and answered later (basic/utilities/tasks). */
import { randomUUID } from 'node:crypto'
import { type Pager, pagesOf } from '../../peers/server/pages.ts'
import { at, codes, isObject, type Json, type JsonObject, textAt } from '../../wire/json-rpc.ts'
import type { Answer, Feature, Tools } from './tools.ts'

type Operation = 'get' | 'result' | 'list' | 'cancel'
export type TaskStatus = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled'

/** What the reference decides about tasks, as values that can be replaced. */
export interface TaskRules {
  /** Whether a revision knows tasks. */
  known(version: string | undefined): boolean
  /** What a tool allows; a call of one that is listed as `forbidden` must be plain. */
  support(definition: JsonObject): 'required' | 'optional' | 'forbidden'
  /** The id of a new task. */
  id(params: JsonObject): Json
  /** The time to live that is granted; null is without end. */
  ttl(asked: Json | undefined): number | null
  pollIntervalMs: number
  mayMove(from: TaskStatus, to: TaskStatus): boolean
  /** The status of a task whose request ended so. */
  ended(outcome: Answer): TaskStatus
  whileAsking: TaskStatus
  afterInput: TaskStatus
  /** Whether the work behind a cancelled task ends. */
  stops: boolean
  /** Whether the task stays after its result was given out, or after it was cancelled. */
  keepsAfter(event: 'result' | 'cancelled'): boolean
  /** Whether tasks/result waits for the end of the task. */
  waits: boolean
  /** The id of the task that a request is about. */
  target(params: JsonObject): Json | undefined
  sees(owner: string, requestor: string, operation: Operation): boolean
  announces(status: TaskStatus): boolean
  /** When the answer to the call, with the task, is sent. */
  acceptsAfter: 'at once' | 'the end'
  page: Pager
}

/** A client may wish for less; more than an hour is not granted. */
const MAX_TTL_MS = 3_600_000
const USUAL_TTL_MS = 600_000

export const isTerminal = (status: string | undefined): boolean =>
  status === 'completed' || status === 'failed' || status === 'cancelled'

export const correctTasks = (): TaskRules => ({
  known: version => version !== undefined && version >= '2025-11-25',
  support(definition) {
    const named = textAt(definition, 'execution', 'taskSupport')
    return named === 'required' || named === 'optional' ? named : 'forbidden'
  },
  id: () => randomUUID(),
  ttl: asked => Math.min(typeof asked === 'number' ? asked : USUAL_TTL_MS, MAX_TTL_MS),
  pollIntervalMs: 20,
  mayMove: from => !isTerminal(from),
  ended: outcome => ('error' in outcome || outcome.isError === true ? 'failed' : 'completed'),
  whileAsking: 'input_required',
  afterInput: 'working',
  stops: true,
  keepsAfter: () => true,
  waits: true,
  target: params => params.taskId,
  sees: (owner, requestor) => owner === requestor,
  announces: () => true,
  acceptsAfter: 'at once',
  // Small, so that three tasks need a second page.
  page: pagesOf(2),
})

interface Asked {
  method: string
  params: JsonObject
  resolve(reply: JsonObject): void
}

export interface Task {
  readonly id: Json
  readonly owner: string
  readonly ttl: number | null
  readonly createdAt: number
  updatedAt: number
  status: TaskStatus
  message: string | undefined
  outcome: Answer | undefined
  stopped: boolean
  /** what the work asks of the client, until tasks/result takes it along */
  inbox: Asked[]
  waiting: (() => void)[]
  announce(method: string, params: JsonObject): void
}

/** The tasks of a server, of all its sessions. */
export type TaskStore = Set<Task>
export const createTaskStore = (): TaskStore => new Set()

const refused = (code: number, message: string): Answer => ({ error: { code, message } })
const unknown = (): Answer => refused(codes.invalidParams, 'Failed to retrieve task: Task not found')

const RELATED = 'io.modelcontextprotocol/related-task'

/** Messages that belong to a task say so. */
const related = ({ id }: Task, params: JsonObject = {}): JsonObject => ({
  ...params,
  _meta: { ...(isObject(params._meta) ? params._meta : {}), [RELATED]: { taskId: id } },
})

const requestorOf = ({ session }: Tools): string => session.user ?? session.id

/** A call of a tool, plain or as a task, as the tool and the capability allow it. */
export const callable =
  (call: Feature, find: (params: JsonObject, tools: Tools) => JsonObject | undefined): Feature =>
  (params, tools) => {
    const definition = find(params, tools)
    // Without the capability the member `task` means nothing.
    if (definition === undefined || at(tools.capabilities, 'tasks', 'requests', 'tools', 'call') === undefined)
      return call(params, tools)
    const support = tools.policies.tasks.support(definition)
    const asTask = isObject(params.task)
    if (asTask === (support === 'required') || support === 'optional')
      return asTask ? accept(params, tools, call) : call(params, tools)
    if (!asTask && support === 'forbidden') return call(params, tools)
    return refused(
      codes.methodNotFound,
      asTask ? 'This tool cannot be called as a task' : 'This tool must be called as a task',
    )
  }

async function accept(params: JsonObject, tools: Tools, call: Feature): Promise<Answer> {
  const rules = tools.policies.tasks
  const now = Date.now()
  const task: Task = {
    id: rules.id(params),
    owner: requestorOf(tools),
    ttl: rules.ttl(at(params, 'task', 'ttl')),
    createdAt: now,
    updatedAt: now,
    status: 'working',
    message: 'The call was accepted.',
    outcome: undefined,
    stopped: false,
    inbox: [],
    waiting: [],
    announce: tools.announce,
  }
  tools.tasks.add(task)
  const accepted = { task: describe(task, rules) }
  const inside: Tools = {
    ...tools,
    ask: (method, more) => askForTask(task, rules, method, more),
    notify: (method, more) => tools.announce(method, related(task, more)),
    closeConnection: () => {},
    cancelled: () => task.stopped,
  }
  // The answer goes out before anything that the work says.
  const work = new Promise<void>(resolve => {
    setImmediate(() => void run(task, rules, () => call(params, inside)).then(resolve))
  })
  if (rules.acceptsAfter === 'the end') await work
  return accepted
}

async function run(task: Task, rules: TaskRules, work: () => Answer | Promise<Answer>): Promise<void> {
  let outcome: Answer
  try {
    outcome = await work()
  } catch {
    outcome = refused(codes.internalError, 'Internal error')
  }
  if (move(task, rules, rules.ended(outcome), explain(outcome))) task.outcome = outcome
  wake(task)
}

const explain = (outcome: Answer): string =>
  textAt(outcome, 'error', 'message') ?? textAt(outcome, 'content', 0, 'text') ?? 'The call has ended.'

function move(task: Task, rules: TaskRules, to: TaskStatus, message?: string): boolean {
  if (!rules.mayMove(task.status, to)) return false
  task.status = to
  task.message = message
  task.updatedAt = Date.now()
  if (rules.announces(to)) task.announce('notifications/tasks/status', describe(task, rules))
  return true
}

function wake(task: Task): void {
  const waiting = task.waiting
  task.waiting = []
  for (const go of waiting) go()
}

async function askForTask(task: Task, rules: TaskRules, method: string, params?: JsonObject): Promise<JsonObject> {
  move(task, rules, rules.whileAsking, 'The client is asked for input.')
  const reply = await new Promise<JsonObject>(resolve => {
    task.inbox.push({ method, params: related(task, params), resolve })
    wake(task)
  })
  move(task, rules, rules.afterInput, 'The input has arrived.')
  return reply
}

const describe = (task: Task, rules: TaskRules): JsonObject => ({
  taskId: task.id,
  status: task.status,
  ...(task.message === undefined ? {} : { statusMessage: task.message }),
  createdAt: new Date(task.createdAt).toISOString(),
  lastUpdatedAt: new Date(task.updatedAt).toISOString(),
  ttl: task.ttl,
  pollInterval: rules.pollIntervalMs,
})

/** The tasks that the requestor may know of; what has outlived its time is forgotten. */
function visible(tools: Tools, operation: Operation): Task[] {
  for (const task of tools.tasks)
    if (task.ttl !== null && Date.now() > task.createdAt + task.ttl) tools.tasks.delete(task)
  return [...tools.tasks].filter(({ owner }) => tools.policies.tasks.sees(owner, requestorOf(tools), operation))
}

function find(params: JsonObject, tools: Tools, operation: Operation): Task | undefined {
  const wanted = tools.policies.tasks.target(params)
  return wanted === undefined ? undefined : visible(tools, operation).find(({ id }) => id === wanted)
}

const get: Feature = (params, tools) => {
  const task = find(params, tools, 'get')
  return task === undefined ? unknown() : describe(task, tools.policies.tasks)
}

const result: Feature = async (params, tools) => {
  const rules = tools.policies.tasks
  const task = find(params, tools, 'result')
  if (task === undefined) return unknown()
  while (!isTerminal(task.status)) {
    for (const { method, params: more, resolve } of task.inbox.splice(0)) void tools.ask(method, more).then(resolve)
    if (!rules.waits) return describe(task, rules)
    await new Promise<void>(resolve => task.waiting.push(resolve))
  }
  if (!rules.keepsAfter('result')) tools.tasks.delete(task)
  const outcome = task.outcome ?? { content: [{ type: 'text', text: 'The call was cancelled.' }], isError: true }
  return 'error' in outcome ? outcome : related(task, outcome)
}

const list: Feature = ({ cursor }, tools) => {
  const rules = tools.policies.tasks
  const page = rules.page(
    visible(tools, 'list').map(task => describe(task, rules)),
    cursor,
  )
  if (page === undefined) return refused(codes.invalidParams, 'this cursor is not ours')
  const { entries, ...rest } = page
  return { tasks: [...entries], ...rest }
}

const cancel: Feature = (params, tools) => {
  const rules = tools.policies.tasks
  const task = find(params, tools, 'cancel')
  if (task === undefined) return unknown()
  const before = task.status
  if (!move(task, rules, 'cancelled', 'The task was cancelled by request.'))
    return refused(codes.invalidParams, `Cannot cancel task: already in terminal status '${before}'`)
  task.stopped = rules.stops
  wake(task)
  if (!rules.keepsAfter('cancelled')) tools.tasks.delete(task)
  return describe(task, rules)
}

/** A tool as it is listed: what it says about tasks is of use only where the server has them. */
export function asListed(definition: JsonObject, { capabilities }: Tools): JsonObject {
  if (at(capabilities, 'tasks', 'requests', 'tools', 'call') !== undefined) return definition
  const { execution: _, ...rest } = definition
  return rest
}

export const taskFeatures: Record<string, { capability: string; run: Feature }> = {
  'tasks/get': { capability: 'tasks', run: get },
  'tasks/result': { capability: 'tasks', run: result },
  'tasks/list': { capability: 'tasks.list', run: list },
  'tasks/cancel': { capability: 'tasks.cancel', run: cancel },
}
