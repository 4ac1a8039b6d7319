/** The tasks of the reference server, with what their work asks of the client. */
import { createTaskMachine, type Task, type TaskMachine } from '../../spec/task-machine.ts'
import type { JsonObject } from '../../wire/json-rpc.ts'
import type { Answer } from './answer.ts'
import type { TaskRules } from './task-rules.ts'

/** What the work of a task asks of the client, until tasks/result takes it along. */
export interface Asked {
  method: string
  params: JsonObject
  resolve(reply: JsonObject): void
}

/** The tasks of a server, of all its sessions. */
export interface TaskStore {
  machine: TaskMachine<Answer>
  inboxes: WeakMap<Task<Answer>, Asked[]>
  /** those whose work is to end */
  stopped: WeakSet<Task<Answer>>
}

export const createTaskStore = (rules: TaskRules): TaskStore => ({
  machine: createTaskMachine(rules),
  inboxes: new WeakMap(),
  stopped: new WeakSet(),
})
