/** The words of tasks (basic/utilities/tasks). */
import { at, isObject, type Json, type JsonObject } from '../wire/json-rpc.ts'

export type TaskStatus = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled'

/** The metadata with which a message says which task it belongs to. */
export const RELATED_TASK = 'io.modelcontextprotocol/related-task'

export const relatedTask = (taskId: Json): JsonObject => ({ [RELATED_TASK]: { taskId } })

/** A message's params, or a result, with that metadata beside its own. */
export const withRelatedTask = (taskId: Json, body: JsonObject = {}): JsonObject => ({
  ...body,
  _meta: { ...(isObject(body._meta) ? body._meta : {}), ...relatedTask(taskId) },
})

export const isTerminal = (status: string | undefined): boolean =>
  status === 'completed' || status === 'failed' || status === 'cancelled'

/** Whether somebody who declares this takes such requests as tasks. */
export const takesAsTask = (capabilities: JsonObject, method: string): boolean =>
  at(capabilities, 'tasks', 'requests', ...method.split('/')) !== undefined
