/** How the reference treats the tasks of whom it asks for something, as values that can be replaced (basic/utilities/tasks). */
import { takesAsTask } from '../../spec/tasks.ts'
import type { Json, JsonObject } from '../../wire/json-rpc.ts'

/** How the reference treats the tasks of a client, as values that can be replaced. */
export interface ClientTaskRules {
  /** Whether the client takes such a request as a task. */
  declared(method: string, capabilities: JsonObject): boolean
  /** Milliseconds before the next tasks/get. */
  pauseMs(pollInterval: Json | undefined): number
  /** False: it waits for a notification instead. */
  polls(round: number): boolean
  /** What a status makes it do. */
  onStatus(status: string | undefined): 'poll' | 'fetch' | 'give up' | 'hang'
  /** After tasks/result was refused although the task goes on. */
  afterRefusal: 'poll' | 'give up'
  /** What becomes of it when the task is not known any more. */
  whenForgotten: 'give up' | 'hang'
  /** The cursor as it is sent back. */
  cursor(given: string): string
}

/** Used where the client suggests no interval. */
const USUAL_PAUSE_MS = 100

export const correctClientTasks = (): ClientTaskRules => ({
  declared: (method, capabilities) => takesAsTask(capabilities, method),
  pauseMs: pollInterval => (typeof pollInterval === 'number' ? pollInterval : USUAL_PAUSE_MS),
  polls: () => true,
  onStatus: status => (status === 'working' ? 'poll' : status === 'cancelled' ? 'give up' : 'fetch'),
  afterRefusal: 'poll',
  whenForgotten: 'give up',
  cursor: given => given,
})
