/** Tasks that a server gives to the client: sampling and elicitation that are answered later (basic/utilities/tasks). */
import { randomUUID } from 'node:crypto'
import { pagesOf } from '../../peers/server/pages.ts'
import { codes, isObject, type Json, type JsonObject } from '../../wire/json-rpc.ts'
import { correctTasks as correctServerTasks, isTerminal, type TaskRules, type TaskStatus } from '../server/tasks.ts'
import { type Answer, refusal } from './reply.ts'

export const RELATED = 'io.modelcontextprotocol/related-task'

/** As the reference server treats its own tasks; a client has no tools, and asks nothing back. */
export type ReceiverRules = Omit<TaskRules, 'known' | 'support' | 'whileAsking' | 'afterInput' | 'ended' | 'stops'> & {
  /** Whether a request is taken as a task, by what was declared. */
  takes(method: string, params: JsonObject, declared: JsonObject): boolean
  /** The status of a task whose request ended so. */
  ended(outcome: Answer): TaskStatus
  /** The metadata with which a message says which task it belongs to. */
  relates(taskId: Json): JsonObject
  /** The model and the user take at least that long for a task. */
  workMs: number
}

/** Long enough that a first poll sees the task at work. */
const WORK_MS = 50

export function correctReceiver(): ReceiverRules {
  const rules = correctServerTasks()
  return {
    ...rules,
    id: () => randomUUID(),
    takes: (method, params, declared) => isObject(params.task) && hasRequest(declared, method),
    ended: outcome => ('error' in outcome ? 'failed' : 'completed'),
    relates: taskId => ({ [RELATED]: { taskId } }),
    workMs: WORK_MS,
    page: pagesOf(10),
  }
}

function hasRequest(declared: JsonObject, method: string): boolean {
  let here: Json | undefined = isObject(declared.tasks) ? declared.tasks.requests : undefined
  for (const step of method.split('/')) here = isObject(here) ? here[step] : undefined
  return isObject(here)
}

interface Task {
  id: Json
  owner: string
  ttl: number | null
  createdAt: number
  updatedAt: number
  status: TaskStatus
  message: string
  outcome: Answer | undefined
  waiting: (() => void)[]
  announce: Announce
}

type Announce = (method: string, params: JsonObject) => void

/** Whom the tasks are for: a session. */
export interface Requestor {
  owner: string
  announce: Announce
}

/** What is done for a task; it may look whether that is over already, and what its messages have to say of it. */
export type Work = (isOver: () => boolean, meta: JsonObject) => Promise<Answer>

export interface TaskDesk {
  /** Takes a request as a task; the work is begun when that has been said. */
  take(params: JsonObject, requestor: Requestor, work: Work): Promise<Answer>
  /** Serves tasks/get, tasks/result, tasks/list and tasks/cancel. */
  serve(method: string, params: JsonObject, requestor: Requestor): Answer | Promise<Answer>
}

export function createTaskDesk(rules: ReceiverRules, crash: (problem: unknown) => void): TaskDesk {
  const tasks = new Set<Task>()

  const describe = (task: Task): JsonObject => ({
    taskId: task.id,
    status: task.status,
    statusMessage: task.message,
    createdAt: new Date(task.createdAt).toISOString(),
    lastUpdatedAt: new Date(task.updatedAt).toISOString(),
    ttl: task.ttl,
    pollInterval: rules.pollIntervalMs,
  })
  const move = (task: Task, to: TaskStatus, message: string): boolean => {
    if (!rules.mayMove(task.status, to)) return false
    task.status = to
    task.message = message
    task.updatedAt = Date.now()
    if (rules.announces(to)) task.announce('notifications/tasks/status', describe(task))
    for (const go of task.waiting.splice(0)) go()
    return true
  }
  const run = async (task: Task, work: Work): Promise<void> => {
    const outcome = await work(() => isTerminal(task.status), rules.relates(task.id)).catch(() =>
      refusal(codes.internalError, 'Internal error'),
    )
    const message = 'error' in outcome ? outcome.error.message : 'The answer is there.'
    // Before the status moves: whoever waits for it reads the outcome.
    if (rules.mayMove(task.status, rules.ended(outcome))) task.outcome = outcome
    move(task, rules.ended(outcome), message)
  }
  const visible = (operation: 'get' | 'result' | 'list' | 'cancel', owner: string): Task[] => {
    for (const task of tasks) if (task.ttl !== null && Date.now() > task.createdAt + task.ttl) tasks.delete(task)
    return [...tasks].filter(task => rules.sees(task.owner, owner, operation))
  }
  const result = async (task: Task): Promise<Answer> => {
    while (rules.waits && !isTerminal(task.status)) await new Promise<void>(resolve => task.waiting.push(resolve))
    if (!isTerminal(task.status)) return { result: describe(task) }
    if (!rules.keepsAfter('result')) tasks.delete(task)
    const outcome = task.outcome ?? refusal(codes.internalError, 'The task was cancelled.')
    if ('error' in outcome) return outcome
    const own = isObject(outcome.result._meta) ? outcome.result._meta : {}
    return { result: { ...outcome.result, _meta: { ...own, ...rules.relates(task.id) } } }
  }
  const cancel = (task: Task): Answer => {
    const before = task.status
    if (!move(task, 'cancelled', 'The task was cancelled by request.'))
      return refusal(codes.invalidParams, `Cannot cancel task: already in terminal status '${before}'`)
    if (!rules.keepsAfter('cancelled')) tasks.delete(task)
    return { result: describe(task) }
  }
  const list = (params: JsonObject, owner: string): Answer => {
    const page = rules.page(visible('list', owner).map(describe), params.cursor)
    if (page === undefined) return refusal(codes.invalidParams, 'this cursor is not ours')
    const { entries, ...rest } = page
    return { result: { tasks: [...entries], ...rest } }
  }
  return {
    async take(params, { owner, announce }, work) {
      const now = Date.now()
      const task: Task = {
        id: rules.id(params),
        owner,
        ttl: rules.ttl(isObject(params.task) ? params.task.ttl : undefined),
        createdAt: now,
        updatedAt: now,
        status: 'working',
        message: 'The request was accepted.',
        outcome: undefined,
        waiting: [],
        announce,
      }
      tasks.add(task)
      const accepted = { task: describe(task) }
      if (rules.acceptsAfter === 'the end') await run(task, work)
      return rules.acceptsAfter === 'the end'
        ? { result: accepted }
        : { result: accepted, afterwards: () => void run(task, work).catch(crash) }
    },
    serve(method, params, { owner }) {
      const operation = method.slice('tasks/'.length)
      if (operation === 'list') return list(params, owner)
      if (operation !== 'get' && operation !== 'result' && operation !== 'cancel')
        return refusal(codes.methodNotFound, 'Method not found')
      const wanted = rules.target(params)
      const task = wanted === undefined ? undefined : visible(operation, owner).find(({ id }) => id === wanted)
      if (task === undefined) return refusal(codes.invalidParams, 'Failed to retrieve task: Task not found')
      if (operation === 'get') return { result: describe(task) }
      return operation === 'result' ? result(task) : cancel(task)
    },
  }
}
