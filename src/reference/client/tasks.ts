/** Tasks that a server gives to the client: sampling and elicitation that are answered later (basic/utilities/tasks). */
import { randomUUID } from 'node:crypto'
import { pagesOf } from '../../peers/server/pages.ts'
import { serveTasks, type TaskOperation } from '../../peers/server/tasks.ts'
import { createTaskMachine, type Task, type TaskMachine } from '../../spec/task-machine.ts'
import { isTerminal, relatedTask, type TaskStatus, takesAsTask } from '../../spec/tasks.ts'
import { codes, isObject, type Json, type JsonObject } from '../../wire/json-rpc.ts'
import { correctTasks as correctServerTasks, type TaskRules } from '../server/task-rules.ts'
import { type Answer, refusal } from './reply.ts'

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
    takes: (method, params, declared) => isObject(params.task) && takesAsTask(declared, method),
    ended: outcome => ('error' in outcome ? 'failed' : 'completed'),
    relates: relatedTask,
    workMs: WORK_MS,
    page: pagesOf(10),
  }
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
  const machine: TaskMachine<Answer> = createTaskMachine(rules)
  const run = async (task: Task<Answer>, work: Work): Promise<void> => {
    const outcome = await work(() => isTerminal(task.status), rules.relates(task.id)).catch(() =>
      refusal(codes.internalError, 'Internal error'),
    )
    const message = 'error' in outcome ? outcome.error.message : 'The answer is there.'
    machine.end(task, rules.ended(outcome), outcome, message)
  }
  const outcomeOf = ({ id, outcome }: Task<Answer>) => {
    if (outcome === undefined) return { error: CANCELLED }
    if ('error' in outcome) return outcome
    const own = isObject(outcome.result._meta) ? outcome.result._meta : {}
    return { result: { ...outcome.result, _meta: { ...own, ...rules.relates(id) } } }
  }
  return {
    async take(params, { owner, announce }, work) {
      const task = machine.add({
        id: rules.id(params),
        owner,
        ttl: rules.ttl(isObject(params.task) ? params.task.ttl : undefined),
        message: 'The request was accepted.',
        announce,
      })
      const accepted = { task: machine.describe(task) }
      if (rules.acceptsAfter === 'the end') {
        await run(task, work)
        return { result: accepted }
      }
      return { result: accepted, afterwards: () => void run(task, work).catch(crash) }
    },
    serve(method, params, { owner }) {
      const operation = OPERATIONS.find(one => method === `tasks/${one}`)
      return operation === undefined
        ? refusal(codes.methodNotFound, 'Method not found')
        : serveTasks(operation, params, { machine, rules, requestor: owner, outcomeOf })
    },
  }
}

const OPERATIONS: readonly TaskOperation[] = ['get', 'result', 'list', 'cancel']
const CANCELLED = { code: codes.internalError, message: 'The task was cancelled.' }
