/** tasks/get, tasks/result, tasks/list and tasks/cancel, for whoever runs tasks (basic/utilities/tasks). */
import type { Task, TaskMachine } from '../../spec/task-machine.ts'
import { isTerminal } from '../../spec/tasks.ts'
import { codes, type Json, type JsonObject } from '../../wire/json-rpc.ts'
import type { Answer } from '../correlator.ts'
import { listPage, type Pager } from './pages.ts'

export type TaskOperation = 'get' | 'result' | 'list' | 'cancel'
type TaskAnswer = Exclude<Answer, 'silence'>

/** What is decided about the requests for tasks. */
export interface TaskAccess {
  /** The id of the task that a request is about. */
  target(params: JsonObject): Json | undefined
  sees(owner: string, requestor: string, operation: TaskOperation): boolean
  /** Whether the task stays after its result was given out, or after it was cancelled. */
  keepsAfter(event: 'result' | 'cancelled'): boolean
  /** Whether tasks/result waits for the end of the task. */
  waits: boolean
  page: Pager
}

export interface TaskServing<O> {
  machine: TaskMachine<O>
  rules: TaskAccess
  requestor: string
  /** What became of the request; undefined where it was cancelled before. */
  outcomeOf(task: Task<O>): TaskAnswer
  /** Somebody waits for the result. */
  onWait?(task: Task<O>): void
  onCancelled?(task: Task<O>): void
}

const refused = (code: number, message: string): TaskAnswer => ({ error: { code, message } })

const unknownTask = (): TaskAnswer => refused(codes.invalidParams, 'Failed to retrieve task: Task not found')

const cannotCancel = (status: string): TaskAnswer =>
  refused(codes.invalidParams, `Cannot cancel task: already in terminal status '${status}'`)

export function serveTasks<O>(
  operation: TaskOperation,
  params: JsonObject,
  serving: TaskServing<O>,
): TaskAnswer | Promise<TaskAnswer> {
  const { machine, rules, requestor } = serving
  const visible = machine.visible(owner => rules.sees(owner, requestor, operation))
  if (operation === 'list') return listPage(rules.page, 'tasks', visible.map(machine.describe), params.cursor)
  const wanted = rules.target(params)
  const task = wanted === undefined ? undefined : visible.find(({ id }) => id === wanted)
  if (task === undefined) return unknownTask()
  if (operation === 'get') return { result: machine.describe(task) }
  return operation === 'result' ? resultOf(task, serving) : cancel(task, serving)
}

async function resultOf<O>(task: Task<O>, { machine, rules, outcomeOf, onWait }: TaskServing<O>): Promise<TaskAnswer> {
  while (!isTerminal(task.status)) {
    onWait?.(task)
    if (!rules.waits) return { result: machine.describe(task) }
    await machine.changed(task)
  }
  if (!rules.keepsAfter('result')) machine.forget(task)
  return outcomeOf(task)
}

function cancel<O>(task: Task<O>, { machine, rules, onCancelled }: TaskServing<O>): TaskAnswer {
  const before = task.status
  if (!machine.move(task, 'cancelled', 'The task was cancelled by request.')) return cannotCancel(before)
  onCancelled?.(task)
  if (!rules.keepsAfter('cancelled')) machine.forget(task)
  return { result: machine.describe(task) }
}
