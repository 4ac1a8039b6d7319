/**
 * The states of tasks, for whoever runs some: a server, a client, or a script that plays one of them. What is done for a
 * task, and who may see it, is not its business (basic/utilities/tasks#task-status-lifecycle).
 */
import { clock } from '../wire/clock.ts'
import type { Json, JsonObject } from '../wire/json-rpc.ts'
import { isTerminal, type TaskStatus } from './tasks.ts'

export interface TaskMachineRules {
  mayMove(from: TaskStatus, to: TaskStatus): boolean
  announces(status: TaskStatus): boolean
  pollIntervalMs: number
}

/** `O` is what becomes of the request behind a task. */
export interface Task<O> {
  readonly id: Json
  readonly owner: string
  /** milliseconds from its creation on; null is without end */
  readonly ttl: number | null
  readonly createdAt: number
  readonly updatedAt: number
  readonly status: TaskStatus
  readonly message: string | undefined
  readonly outcome: O | undefined
}

export interface NewTask {
  id: Json
  owner: string
  ttl: number | null
  message?: string
  /** Tells the requestor of a new status. */
  announce?(method: string, params: JsonObject): void
}

export interface TaskMachine<O> {
  add(task: NewTask): Task<O>
  /** Those of its owners; what has outlived its time is forgotten. */
  visible(sees: (owner: string) => boolean): Task<O>[]
  /** As it is told on the wire. */
  describe(task: Task<O>): JsonObject
  /** False where there is no way from its status to that one. */
  move(task: Task<O>, to: TaskStatus, message?: string): boolean
  /** Moves it to its last status, with what became of the request; an earlier end stays. */
  end(task: Task<O>, to: TaskStatus, outcome: O, message?: string): boolean
  /** Resolves when something about it has changed. */
  changed(task: Task<O>): Promise<void>
  /** Whoever waits for a change looks again. */
  wake(task: Task<O>): void
  forget(task: Task<O>): void
}

type Entry<O> = { -readonly [K in keyof Task<O>]: Task<O>[K] } & { announce?: NewTask['announce'] }

/** From any status that is not the last one to any other. */
export const mayMove = (from: TaskStatus): boolean => !isTerminal(from)

/** The task as the wire has it (basic/utilities/tasks#data-types). */
const asTold = (task: Task<unknown>, pollInterval: number | undefined): JsonObject => ({
  taskId: task.id,
  status: task.status,
  ...(task.message === undefined ? {} : { statusMessage: task.message }),
  createdAt: new Date(task.createdAt).toISOString(),
  lastUpdatedAt: new Date(task.updatedAt).toISOString(),
  ttl: task.ttl,
  ...(pollInterval === undefined ? {} : { pollInterval }),
})

export function createTaskMachine<O>(
  rules: TaskMachineRules,
  now: () => number = () => clock().date(),
): TaskMachine<O> {
  const tasks = new Set<Entry<O>>()
  const waiting = new Map<Task<O>, (() => void)[]>()

  const describe = (task: Task<O>): JsonObject => asTold(task, rules.pollIntervalMs)
  const wake = (task: Task<O>): void => {
    const waiters = waiting.get(task) ?? []
    waiting.delete(task)
    for (const go of waiters) go()
  }
  const set = (task: Task<O>, to: TaskStatus, message: string | undefined, outcome?: O): boolean => {
    const entry = task as Entry<O>
    if (!rules.mayMove(task.status, to)) return false
    // Before anybody is told: whoever hears of the status reads the outcome.
    if (outcome !== undefined) entry.outcome = outcome
    entry.status = to
    entry.message = message
    entry.updatedAt = now()
    if (rules.announces(to)) entry.announce?.('notifications/tasks/status', describe(task))
    wake(task)
    return true
  }
  return {
    add({ message, announce, ...task }) {
      const at = now()
      const entry: Entry<O> = {
        ...task,
        createdAt: at,
        updatedAt: at,
        status: 'working',
        message,
        outcome: undefined,
        announce,
      }
      tasks.add(entry)
      return entry
    },
    visible(sees) {
      for (const task of tasks) if (task.ttl !== null && now() > task.createdAt + task.ttl) tasks.delete(task)
      return [...tasks].filter(({ owner }) => sees(owner))
    },
    describe,
    move: (task, to, message) => set(task, to, message),
    end: (task, to, outcome, message) => set(task, to, message, outcome),
    changed: task => new Promise(resolve => waiting.set(task, [...(waiting.get(task) ?? []), resolve])),
    wake,
    forget: task => {
      tasks.delete(task as Entry<O>)
    },
  }
}
