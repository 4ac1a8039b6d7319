/** The client calls tools as tasks, each of which goes another way; and some that allow no task. */
import { script } from '../../../src/suite/client.ts'
import { type Course, callOf, type Played, playTasks, TASKS, toolNamed } from './_called-tasks.ts'

/** Long enough for a pause to be seen on a loaded machine. */
export const INTERVAL_MS = 150
export const POLLS = 4

/** By the names of the tools that are called. */
export const COURSES: Record<string, Course> = {
  task_plain: { statuses: [...Array(POLLS - 1).fill('working'), 'completed'], intervalMs: INTERVAL_MS },
  task_told: { statuses: ['working', 'working', 'completed'], notifies: true },
  task_asks: { statuses: ['input_required', 'working', 'completed'] },
  task_completed: { statuses: ['working', 'completed'] },
  task_failed: { statuses: ['working', 'failed'] },
  task_cancelled: { statuses: ['working', 'cancelled'] },
  task_asks_completed: { statuses: ['input_required', 'completed'] },
  task_asks_failed: { statuses: ['input_required', 'failed'] },
  task_asks_cancelled: { statuses: ['input_required', 'cancelled'] },
  task_forgotten: { statuses: ['working'], forgets: 'at once' },
  // It ends by itself, for clients that do not cancel it.
  task_given_up: { statuses: [...Array(30).fill('working'), 'completed'], forgets: 'when cancelled' },
}

/** May not be called as tasks: one says so, and the other says nothing. */
export const FORBIDDEN = 'never_as_task'
export const SILENT = 'says_nothing_of_tasks'

export const FOLLOWING = script({
  drive: {
    name: 'tasks-of-the-client',
    client: { tasks: true },
    steps: [
      { request: 'tools/list' },
      callOf('task_plain', { progress: true }),
      { pause: 60 },
      callOf('task_told', { progress: true }),
      ...Object.keys(COURSES)
        .slice(2)
        .map(name => callOf(name, name === 'task_given_up' ? { cancelAfterMs: 100 } : {})),
      callOf(FORBIDDEN),
      callOf(SILENT),
      { request: 'tasks/list' },
    ],
  },
  setup: () => ({
    capabilities: { tools: {}, tasks: TASKS },
    tools: [
      ...Object.keys(COURSES).map(name => toolNamed(name, 'optional')),
      toolNamed(FORBIDDEN, 'forbidden'),
      toolNamed(SILENT),
    ],
  }),
  notes: (): Played => ({}),
  play: (server, played) => playTasks(server, COURSES, played),
})
