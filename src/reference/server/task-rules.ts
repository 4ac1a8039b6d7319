/** What the reference server decides about tasks (basic/utilities/tasks). */
import { randomUUID } from 'node:crypto'
import { pagesOf } from '../../peers/server/pages.ts'
import type { TaskAccess } from '../../peers/server/tasks.ts'
import { mayMove, type TaskMachineRules } from '../../spec/task-machine.ts'
import type { TaskStatus } from '../../spec/tasks.ts'
import { type Json, type JsonObject, textAt } from '../../wire/json-rpc.ts'
import type { Answer } from './answer.ts'

/** What the reference decides about tasks, as values that can be replaced. */
export interface TaskRules extends TaskMachineRules, TaskAccess {
  /** Whether a revision knows tasks. */
  known(version: string | undefined): boolean
  /** What a tool allows; a call of one that is listed as `forbidden` must be plain. */
  support(definition: JsonObject): 'required' | 'optional' | 'forbidden'
  /** The id of a new task. */
  id(params: JsonObject): Json
  /** The time to live that is granted; null is without end. */
  ttl(asked: Json | undefined): number | null
  /** The status of a task whose request ended so. */
  ended(outcome: Answer): TaskStatus
  whileAsking: TaskStatus
  afterInput: TaskStatus
  /** Whether the work behind a cancelled task ends. */
  stops: boolean
  /** When the answer to the call, with the task, is sent. */
  acceptsAfter: 'at once' | 'the end'
}

/** A client may wish for less; more than an hour is not granted. */
const MAX_TTL_MS = 3_600_000
const USUAL_TTL_MS = 600_000

export const correctTasks = (): TaskRules => ({
  known: version => version !== undefined && version >= '2025-11-25',
  support(definition) {
    const named = textAt(definition, 'execution', 'taskSupport')
    return named === 'required' || named === 'optional' ? named : 'forbidden'
  },
  id: () => randomUUID(),
  ttl: asked => Math.min(typeof asked === 'number' ? asked : USUAL_TTL_MS, MAX_TTL_MS),
  pollIntervalMs: 20,
  mayMove,
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
