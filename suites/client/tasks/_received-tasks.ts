/** Scripts in which our server gives tasks to the client: requests for its model and its user that are answered later. */
import {
  at,
  type Call,
  type ClientReplacement,
  type ClientRun,
  type ClientSettings,
  clock,
  isObject,
  isTerminal,
  type JsonObject,
  judge,
  type ReceiverRules,
  type Reply,
  statusIn,
  undone,
  unmet,
  type Yielded,
} from '../../../src/suite/client.ts'

/** The wish that goes with an ordinary task of ours: longer than any script lasts. */
export const TTL_MS = 60_000
/** The model and the user take so long: a task is seen at work, whoever is slow meanwhile. */
export const WORK_MS = 400
/** How long the end of a task is waited for. */
const END_MS = 4_000
const PAUSE_MS = 40
const MAX_PAUSE_MS = 1_000

/** What a server may ask as a task, each in a form that any client can answer. */
const REQUESTS: Record<string, JsonObject> = {
  'sampling/createMessage': {
    messages: [{ role: 'user', content: { type: 'text', text: 'Say hello.' } }],
    maxTokens: 100,
  },
  'elicitation/create': {
    message: 'What is your name?',
    requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
  },
}

/** A client that takes tasks; its model and its user agree, after a while. */
export const WILLING_CLIENT: ClientSettings = {
  sampling: {
    answer: { role: 'assistant', content: { type: 'text', text: 'Hello.' }, model: 'none' },
    delayMs: WORK_MS,
  },
  elicitation: { action: 'accept', content: { name: 'Ada' }, delayMs: WORK_MS },
  tasks: true,
}

const NO_TASKS = 'the capability tasks.requests for sampling or elicitation'

/** What a play writes down in any case. */
export interface Given {
  /** what the client declares at all; undefined as long as it has not come so far */
  capabilities?: JsonObject
  /** which requests it takes as tasks */
  taken: string[]
}

/** What to yield where the client could not be given a task; nothing where it was. */
export function without<C extends string>(seen: ClientRun<Given>, claims: Record<C, unknown>): Yielded<C>[] {
  const { capabilities, taken } = seen.notes
  if (capabilities === undefined) return [unmet(undone(seen, 'list the tools'))]
  if (taken.length > 0) return []
  const got = { text: `tasks: ${JSON.stringify(capabilities.tasks) ?? 'not declared'}`, frames: [helloOf(seen)] }
  return (Object.keys(claims) as C[]).map(claim => judge(claim, 'n/a', NO_TASKS, got))
}

/** The frame with what the client declares. */
export const helloOf = (seen: ClientRun<unknown>) =>
  seen.messages.find(({ json }) => at(json, 'method') === 'initialize') ?? seen.end.frame

/** Which requests the client takes as tasks, by what it declares. */
export const takenBy = (capabilities: JsonObject): string[] =>
  Object.keys(REQUESTS).filter(method => isObject(at(capabilities, 'tasks', 'requests', ...method.split('/'))))

export const paramsOf = (method: string): JsonObject => REQUESTS[method] ?? {}

/** What is done with the tasks of a client, on the stream of one of its own requests. */
export interface Tasks {
  /** Asks for a task. */
  create(method: string, task?: JsonObject, meta?: JsonObject): Promise<Reply>
  /** The same without a task. */
  plainly(method: string): Promise<Reply>
  get(taskId: string): Promise<Reply>
  result(taskId: string): Promise<Reply>
  cancel(taskId: string): Promise<Reply>
  /** Polls until the task has ended, or is gone, or the time is over; the last answer. */
  untilEnd(taskId: string): Promise<Reply>
}

export function tasksOf(call: Call, pause: (ms: number) => Promise<void>): Tasks {
  const get = (taskId: string): Promise<Reply> => call.ask('tasks/get', { taskId })
  return {
    create: (method, task = { ttl: TTL_MS }, meta) =>
      call.ask(method, { ...paramsOf(method), task, ...(meta === undefined ? {} : { _meta: meta }) }),
    plainly: method => call.ask(method, paramsOf(method)),
    get,
    result: taskId => call.ask('tasks/result', { taskId }),
    cancel: taskId => call.ask('tasks/cancel', { taskId }),
    async untilEnd(taskId) {
      const end = clock().now() + END_MS
      for (;;) {
        const reply = await get(taskId)
        if (reply.kind !== 'result' || isTerminal(statusIn(reply))) return reply
        const suggested = at(reply.result, 'pollInterval')
        const wait = Math.min(typeof suggested === 'number' ? suggested : PAUSE_MS, MAX_PAUSE_MS)
        if (clock().now() + wait > end) return reply
        await pause(wait)
      }
    },
  }
}

/** For defects: the reference with other rules for the tasks that it gets. */
export const receiving =
  (changes: Partial<ReceiverRules> | ((correct: ReceiverRules) => Partial<ReceiverRules>)): ClientReplacement =>
  ({ tasks }) => ({ tasks: { ...tasks, ...(typeof changes === 'function' ? changes(tasks) : changes) } })
