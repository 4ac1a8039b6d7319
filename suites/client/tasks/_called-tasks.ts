/** Scripts in which the client calls tools as tasks: our server plays what becomes of each of them. */
import {
  at,
  type Call,
  type CallAnswer,
  type ClientReplacement,
  type ClientRun,
  codes,
  crashed,
  isObject,
  isTerminal,
  type Json,
  type JsonObject,
  type MessageFrame,
  ODD_CURSOR,
  type PlayedTask,
  playTask,
  type ServerDouble,
  type Step,
  type TaskCallRules,
  type TaskStatus,
  type ToolDefinition,
  textAt,
  withRelatedTask,
} from '../../../src/suite/client.ts'

/** What becomes of the task of a tool. */
export interface Course {
  /** the status at each poll, the last one ever after */
  statuses: readonly TaskStatus[]
  /** the pollInterval, in milliseconds */
  intervalMs?: number
  /** a status notification with the first poll, and none after that */
  notifies?: true
  /** the task is not known any more when it is asked for, or once it was cancelled */
  forgets?: 'at once' | 'when cancelled'
  /** what happens in the first tasks/result, before it is answered; an answer of its own comes in place of that */
  onResult?(call: Call, task: Playing): Promise<CallAnswer | undefined>
  onPoll?(call: Call, task: Playing): void
}

/** What the client did with it. */
export interface Playing {
  readonly taskId: string
  readonly status: string
  /** the call itself, with its params */
  call: { frame: MessageFrame; params: JsonObject }
  polls: MessageFrame[]
  /** each tasks/result, with the status that the client knew of then */
  fetches: { frame: MessageFrame; status: string }[]
  cancels: MessageFrame[]
}

export type Played = Record<string, Playing>

/** What the server declares: everything that there is of tasks. */
export const TASKS: JsonObject = { list: {}, cancel: {}, requests: { tools: { call: {} } } }

/** The pause between two polls where nothing is measured by it: every course is played in full. */
const SHORT_INTERVAL_MS = 30

export const toolNamed = (name: string, taskSupport?: string): ToolDefinition => ({
  name,
  description: 'A tool for testing',
  inputSchema: { type: 'object' },
  ...(taskSupport === undefined ? {} : { execution: { taskSupport } }),
})

/** A step that calls the tool and wishes for a task, beside the others. */
export const callOf = (name: string, more: Partial<Step> = {}): Step => ({
  request: 'tools/call',
  params: { name, arguments: {} },
  task: { ttl: 60_000 },
  meanwhile: true,
  ...more,
})

const NOT_FOUND = 'Failed to retrieve task: Task not found'

const refused = (message: string): CallAnswer => ({ error: { code: codes.invalidParams, message } })

/** One call that became a task. */
interface Run {
  course: Course
  task: Playing
  run: PlayedTask
}

/** Plays these courses, by the names of the tools; a plain call of any tool has a plain result. */
export function playTasks(server: ServerDouble, courses: Record<string, Course>, played: Played): void {
  const byId = new Map<string, Run>()
  /** Serves a request about one task, and writes down that it came; it may be one that is not known any more. */
  const serve = (method: string, seen: Seen, answer: (call: Call, one: Run) => Promise<CallAnswer> | CallAnswer) =>
    server.on(method, call => {
      const one = byId.get(textAt(call.params, 'taskId') ?? '')
      if (one === undefined) return refused(NOT_FOUND)
      seen(one.task, call)
      return answer(call, one)
    })

  server.on('tools/call', ({ params, frame }) => {
    const name = textAt(params, 'name') ?? ''
    const course = courses[name]
    if (course === undefined || !isObject(params.task)) return { result: plainResult() }
    const one = begin(course, { frame, params })
    byId.set(one.task.taskId, one)
    played[name] ??= one.task
    return { result: { task: one.run.describe() } }
  })
  serve('tasks/get', ({ polls }, { frame }) => polls.push(frame), polled)
  serve(
    'tasks/result',
    ({ fetches, status }, { frame }) => fetches.push({ frame, status }),
    (call, one) => fetched(server, call, one),
  )
  serve(
    'tasks/cancel',
    ({ cancels }, { frame }) => cancels.push(frame),
    (_, { run }) => (run.cancel() ? { result: run.describe() } : refused('Cannot cancel task: it has ended')),
  )
  server.on('tasks/list', ({ params }) => {
    const [first] = byId.values()
    if (first === undefined || params.cursor !== undefined) return { result: { tasks: [] } }
    return { result: { tasks: [first.run.describe()], nextCursor: ODD_CURSOR } }
  })
}

type Seen = (task: Playing, call: Call) => void

function begin(course: Course, call: Playing['call']): Run {
  const run = playTask(course.statuses, intervalOf(course))
  const task: Playing = {
    taskId: run.taskId,
    get status() {
      return run.status
    },
    call,
    polls: [],
    fetches: [],
    cancels: [],
  }
  return { course, task, run }
}

const intervalOf = ({ intervalMs }: Course): number => intervalMs ?? SHORT_INTERVAL_MS

const isForgotten = ({ course, task }: Run): boolean =>
  course.forgets === 'at once' || (course.forgets === 'when cancelled' && task.cancels.length > 0)

/** tasks/get */
async function polled(call: Call, one: Run): Promise<CallAnswer> {
  const { course, task, run } = one
  if (isForgotten(one)) return refused(NOT_FOUND)
  run.poll()
  course.onPoll?.(call, task)
  if (course.notifies === true && task.polls.length === 1) {
    const told = await call.conversation.notify('notifications/tasks/status', run.describe())
    if (!told) await call.notify('notifications/tasks/status', run.describe())
  }
  return { result: run.describe() }
}

/** tasks/result */
async function fetched(server: ServerDouble, call: Call, one: Run): Promise<CallAnswer> {
  const { course, task, run } = one
  if (isForgotten(one)) return refused(NOT_FOUND)
  const own = task.fetches.length === 1 ? await course.onResult?.(call, task) : undefined
  if (own !== undefined) return own
  // A client that waits here need not poll: the task goes to its end meanwhile.
  if (!isTerminal(task.status)) await server.pause(intervalOf(course))
  run.finish()
  return outcomeOf(task)
}

export const plainResult = (): JsonObject => ({ content: [{ type: 'text', text: 'The tool was called.' }] })

function outcomeOf({ status, taskId }: Playing): CallAnswer {
  if (status === 'cancelled') return { error: { code: codes.internalError, message: 'The task was cancelled.' } }
  const failed = status === 'failed' ? { isError: true } : {}
  return { result: withRelatedTask(taskId, { ...plainResult(), ...failed }) }
}

/** The number of the step that calls the tool. */
const stepOf = (seen: ClientRun<unknown>, name: string): number =>
  (seen.drive.steps ?? []).findIndex(({ params }) => at(params, 'name') === name)

/** The call has come to an end for its user; undefined where a client that had to be stopped said nothing of it. */
export function isOver(seen: ClientRun<unknown>, name: string): boolean | undefined {
  if (seen.steps.has(stepOf(seen, name)) || (seen.end.how === 'exited' && !crashed(seen))) return true
  // One that tells of its steps has told of all that ended.
  return seen.steps.size > 0 ? false : undefined
}

/** For defects: the reference with other rules for calls that become tasks. */
export const calling =
  (changes: Partial<TaskCallRules> | (() => Partial<TaskCallRules>)): ClientReplacement =>
  client => ({ taskCalls: { ...client.taskCalls, ...(typeof changes === 'function' ? changes() : changes) } })

/** The reference that polls no task of which there was a notification. */
export const trusting: ClientReplacement = client => {
  const told = new Set<Json | undefined>()
  return {
    notices: message => {
      if (at(message, 'method') === 'notifications/tasks/status') told.add(at(message, 'params', 'taskId'))
    },
    taskCalls: { ...client.taskCalls, polls: (_round, taskId) => !told.has(taskId) },
  }
}
