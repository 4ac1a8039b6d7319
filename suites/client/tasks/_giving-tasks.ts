/** Our server gives the client some tasks, and queries them in every way while they run. */
import {
  type Call,
  createdId,
  type JsonObject,
  type MessageFrame,
  RELATED_TASK,
  type Reply,
  script,
  textAt,
} from '../../../src/suite/client.ts'
import { type Given, TTL_MS, takenBy, tasksOf, WILLING_CLIENT } from './_received-tasks.ts'

/** An id of the usual form that no client has given out. */
export const UNKNOWN = '6f1c2a52-0c1e-4f0b-9d57-5b1a6f0e9c13'
/** An id of ours: the client must not use it. */
export const WISHED_ID = 'an-id-of-the-server'
/** Enough ids to see a pattern in them. */
const TASKS = 5

/** What one request brought as a task; what needs the id of the task is absent where there was none. */
export interface Course {
  method: string
  created: Reply
  /** the same without a ttl */
  bare: Reply
  /** the same without a task */
  plain: Reply
  taskId?: string
  soon?: Reply
  meanwhile?: Reply
  /** with the metadata of another task, and of none */
  mixed?: Reply
  odd?: Reply
  result?: Reply
  after?: Reply
  again?: Reply
}

interface Notes extends Given {
  courses: Course[]
  /** a request that names an id of ours */
  own?: Reply
  /** more tasks, for their ids */
  more: Reply[]
  /** what the client asks while it has a task, and what it says of the task then, before it has its answer */
  nested: { named: string | undefined; frame: MessageFrame; polled?: Reply }[]
  unknown?: { get: Reply; result: Reply; cancel: Reply }
  listed?: Reply
  oddCursor?: Reply
}

export const GIVING = script({
  drive: { name: 'tasks-of-the-server', client: WILLING_CLIENT, steps: [{ request: 'tools/list' }] },
  notes: (): Notes => ({ courses: [], more: [], taken: [], nested: [] }),
  play(server, notes) {
    server.on('tools/list', async call => {
      if (notes.capabilities === undefined) await give(call, notes, ms => server.pause(ms))
      return { result: { tools: [] } }
    })
    server.on('tools/call', async call => {
      const named = textAt(call.params, '_meta', RELATED_TASK, 'taskId')
      const polled = named === undefined ? {} : { polled: await call.ask('tasks/get', { taskId: named }) }
      notes.nested.push({ named, frame: call.frame, ...polled })
      return { result: { content: [{ type: 'text', text: 'Here you are.' }] } }
    })
  },
})

async function give(call: Call, notes: Notes, pause: (ms: number) => Promise<void>): Promise<void> {
  notes.capabilities = call.conversation.capabilities
  notes.taken = takenBy(notes.capabilities)
  const tasks = tasksOf(call, pause)
  if (notes.capabilities.tasks !== undefined) {
    notes.unknown = {
      get: await tasks.get(UNKNOWN),
      result: await tasks.result(UNKNOWN),
      cancel: await tasks.cancel(UNKNOWN),
    }
    notes.listed = await call.ask('tasks/list')
    notes.oddCursor = await call.ask('tasks/list', { cursor: 'no-such-cursor' })
  }
  const [method] = notes.taken
  if (method === undefined) return
  const following = Promise.all(notes.taken.map(async one => notes.courses.push(await follow(call, one, pause))))
  notes.own = await tasks.create(method, { ttl: TTL_MS, taskId: WISHED_ID })
  for (let count = 2 * notes.taken.length + 1; count < TASKS; count += 1) notes.more.push(await tasks.create(method))
  await following
}

async function follow(call: Call, method: string, pause: (ms: number) => Promise<void>): Promise<Course> {
  const tasks = tasksOf(call, pause)
  const created = await tasks.create(method)
  const taskId = createdId(created)
  const soon = taskId === undefined ? undefined : await tasks.get(taskId)
  // Asked behind the answer, so that a task that still goes on shows an answer that came too early.
  const result =
    taskId === undefined
      ? undefined
      : tasks.result(taskId).then(async reply => ({ result: reply, after: await tasks.get(taskId) }))
  const meanwhile = taskId === undefined ? undefined : await tasks.get(taskId)
  const plain = tasks.plainly(method)
  const bare = await tasks.create(method, {})
  if (taskId === undefined || soon === undefined || result === undefined)
    return { method, created, bare, plain: await plain }
  const about = (other: string): JsonObject => ({ taskId, _meta: { [RELATED_TASK]: { taskId: other } } })
  return {
    method,
    created,
    bare,
    taskId,
    soon,
    ...(meanwhile === undefined ? {} : { meanwhile }),
    mixed: await call.ask('tasks/get', about(createdId(bare) ?? UNKNOWN), { intended: 'fault' }),
    odd: await call.ask('tasks/get', about(UNKNOWN), { intended: 'fault' }),
    plain: await plain,
    ...(await result),
    again: await tasks.result(taskId),
  }
}
