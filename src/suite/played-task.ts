/** A task that a script plays, on whichever side runs it: its status goes on with each poll, and is the last one ever after. */
import { createTaskMachine, mayMove } from '../spec/task-machine.ts'
import type { TaskStatus } from '../spec/tasks.ts'
import type { JsonObject } from '../wire/json-rpc.ts'

export interface PlayedTask {
  readonly taskId: string
  readonly status: TaskStatus
  /** As it is told on the wire. */
  describe(): JsonObject
  /** Somebody polls it. */
  poll(): void
  /** Goes to its end: somebody who waits for the result need not poll. */
  finish(): void
  /** False where it has ended. */
  cancel(): boolean
}

const TTL_MS = 60_000

export function playTask(statuses: readonly TaskStatus[], pollIntervalMs: number): PlayedTask {
  const machine = createTaskMachine({ mayMove, announces: () => false, pollIntervalMs })
  const taskId = crypto.randomUUID()
  const task = machine.add({ id: taskId, owner: '', ttl: TTL_MS })
  let polls = 0
  return {
    taskId,
    get status() {
      return task.status
    },
    describe: () => machine.describe(task),
    poll() {
      polls += 1
      machine.move(task, statuses[Math.min(polls, statuses.length) - 1] ?? task.status)
    },
    finish() {
      machine.move(task, statuses.at(-1) ?? task.status)
    },
    cancel: () => machine.move(task, 'cancelled'),
  }
}
