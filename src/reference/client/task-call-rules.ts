/** How calls of tools become tasks, as values that can be replaced. */
import type { Json, JsonObject } from '../../wire/json-rpc.ts'
import { type ClientTaskRules, correctClientTasks } from '../server/client-task-rules.ts'

/** As the reference server treats the tasks of a client, and what only tools have. */
export type TaskCallRules = Omit<ClientTaskRules, 'polls'> & {
  /** False: it waits for a notification about that task instead. */
  polls(round: number, taskId: string): boolean
  /** Whether a call becomes a task, by what the user wishes and the tool and the server allow. */
  asTask(call: TaskWish): boolean
  /** Whether the tools are listed first, where that is not known. */
  looksUp: boolean
  /** The params of the call, and those of the requests about the task. */
  params(params: JsonObject, task: JsonObject): JsonObject
  target(taskId: string): JsonObject
  /** How a task is given up. */
  cancelsBy: 'tasks/cancel' | 'notifications/cancelled'
}

export interface TaskWish {
  wanted: boolean
  taskSupport: Json | undefined
  /** the server takes tool calls as tasks */
  declared: boolean
}

export const correctTaskCalls = (): TaskCallRules => ({
  ...correctClientTasks(),
  asTask: ({ wanted, taskSupport, declared }) =>
    declared && (taskSupport === 'required' || (wanted && taskSupport === 'optional')),
  looksUp: true,
  params: (params, task) => ({ ...params, task }),
  target: taskId => ({ taskId }),
  cancelsBy: 'tasks/cancel',
})
