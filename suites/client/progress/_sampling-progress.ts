/** Our server asks the model of the client, and gives tokens with which it may tell how far it is. */
import {
  at,
  type Call,
  isObject,
  type Json,
  type JsonObject,
  type Reply,
  script,
  textAt,
} from '../../../src/suite/client.ts'
import { LISTED } from '../_add-numbers.ts'

export const TOKENS: Json[] = ['abc', 12]
export const TASK_TOKEN = 'the-token-of-a-task'
export const LAST_ID = 'behind-everything'

/** Three reports in that time are so far apart that two POSTs do not change places on their way. */
const THINKS_MS = 750
const TASK_MS = 300
const BEHIND_MS = 300
const WAIT_MS = 5_000
const TERMINAL = ['completed', 'failed', 'cancelled']

const question = (more: JsonObject): JsonObject => ({
  messages: [{ role: 'user', content: { type: 'text', text: 'How are you?' } }],
  maxTokens: 10,
  ...more,
})

const ask = (call: Call, progressToken: Json | undefined, more: JsonObject = {}): Promise<Reply> =>
  call.ask(
    'sampling/createMessage',
    question({ ...(progressToken === undefined ? {} : { _meta: { progressToken } }), ...more }),
    { withinMs: WAIT_MS },
  )

interface Notes {
  /** answers to the questions with a token each, and without one */
  replies?: Reply[]
}

export const SAMPLING = script({
  drive: {
    name: 'sampling-progress',
    client: { sampling: { answer: {}, delayMs: THINKS_MS } },
    steps: [{ request: 'tools/list' }],
  },
  notes: (): Notes => ({}),
  play(server, notes) {
    server.on('tools/list', async call => {
      if (!isObject(call.conversation.capabilities.sampling) || notes.replies !== undefined) return LISTED
      notes.replies = await Promise.all([...TOKENS, undefined].map(token => ask(call, token)))
      await server.pause(BEHIND_MS)
      // A client that has more to say about them has the time to do so.
      await call.ask('ping', undefined, { id: LAST_ID })
      return LISTED
    })
  },
})

interface TaskNotes {
  created?: Reply
  taskId?: string
  /** the answer in which the task was over */
  over?: Reply
}

export const SAMPLING_TASK = script({
  drive: {
    name: 'sampling-task-progress',
    client: { sampling: { answer: {}, delayMs: TASK_MS }, tasks: true },
    steps: [{ request: 'tools/list' }],
  },
  notes: (): TaskNotes => ({}),
  play(server, notes) {
    server.on('tools/list', async call => {
      const declared = at(call.conversation.capabilities, 'tasks', 'requests', 'sampling', 'createMessage')
      if (!isObject(declared) || notes.created !== undefined) return LISTED
      notes.created = await ask(call, TASK_TOKEN, { task: { ttl: 60_000 } })
      const taskId = notes.created.kind === 'result' ? textAt(notes.created.result, 'task', 'taskId') : undefined
      if (taskId === undefined) return LISTED
      notes.taskId = taskId
      for (const until = server.now() + WAIT_MS; server.now() < until && !server.isOver; ) {
        const reply = await call.ask('tasks/get', { taskId }, { withinMs: 1_000 })
        if (reply.kind !== 'result') break
        if (TERMINAL.includes(textAt(reply.result, 'status') ?? '')) {
          notes.over = reply
          break
        }
        await server.pause(50)
      }
      await server.pause(BEHIND_MS)
      await call.ask('ping', undefined, { id: LAST_ID })
      return LISTED
    })
  },
})
