import {
  at,
  clientScenario,
  type JsonObject,
  judge,
  RELATED_TASK,
  type Reply,
  script,
  tampers,
  undone,
  unmet,
} from '../../../src/suite/client.ts'
import { type Course, callOf, type Playing, playTasks, TASKS, toolNamed } from './_called-tasks.ts'
import { paramsOf } from './_received-tasks.ts'

const ON_RESULT = 'task_asks_user'
const ON_GET = 'task_asks_model'
const LISTENS_MS = 500

interface Notes {
  /** what was asked, and on which stream */
  asked: { taskId: string; where: string; reply: Reply }[]
}

const related = (method: string, { taskId }: Playing): JsonObject => ({
  ...paramsOf(method),
  _meta: { [RELATED_TASK]: { taskId } },
})

const ASKING = script({
  drive: {
    name: 'tasks-need-input',
    client: {
      sampling: { answer: { role: 'assistant', content: { type: 'text', text: 'Hello.' }, model: 'none' } },
      elicitation: { action: 'accept', content: { name: 'Ada' } },
      tasks: true,
    },
    steps: [{ request: 'tools/list' }, callOf(ON_RESULT), callOf(ON_GET)],
  },
  setup: () => ({
    capabilities: { tools: {}, tasks: TASKS },
    tools: [ON_RESULT, ON_GET].map(name => toolNamed(name, 'optional')),
  }),
  notes: (): Notes => ({ asked: [] }),
  play(server, notes) {
    const statuses = ['input_required', 'input_required', 'working', 'completed'] as const
    const courses: Record<string, Course> = {
      [ON_RESULT]: {
        statuses,
        async onResult(call, task) {
          const reply = await call.ask('elicitation/create', related('elicitation/create', task))
          notes.asked.push({ taskId: task.taskId, where: 'the stream of tasks/result', reply })
          return undefined
        },
      },
      [ON_GET]: {
        statuses,
        async onResult(call, task) {
          // Over HTTP a client need not open this stream; then nothing can be asked on it.
          if (!(await call.conversation.listened(LISTENS_MS))) return undefined
          const { conversation } = call
          const reply = await conversation.ask('sampling/createMessage', related('sampling/createMessage', task))
          notes.asked.push({ taskId: task.taskId, where: 'the stream of GET', reply })
          return undefined
        },
      },
    }
    playTasks(server, courses, {})
  },
})

export default clientScenario({
  title: 'The client answers requests of its task on any stream, and names the task in its answers',
  needs: { since: '2025-11-25' },
  script: ASKING,
  claims: {
    anywhere: 'tasks.input.client-expects-any-stream',
    carries: 'tasks.related.response-carries',
    all: 'tasks.related.on-all-messages',
  },
  *run(seen) {
    const { asked } = seen.notes
    if (asked.length === 0) yield unmet(undone(seen, 'ask for the result of a task that needs input'))
    for (const { taskId, where, reply } of asked) {
      yield judge('anywhere', reply.kind !== 'none', `an answer on ${where}`, reply, { subject: where })
      // An error has no place for metadata.
      if (reply.kind !== 'result') continue
      const named = at(reply.result, '_meta', RELATED_TASK, 'taskId')
      const carries = named === taskId
      const fault = { kind: named === undefined ? 'missing' : 'wrong-value', subject: where } as const
      const expected = `the id of the task under ${RELATED_TASK}, as in the request`
      yield judge('carries', carries, expected, reply, fault)
      yield judge('all', carries, expected, reply, fault)
    }
    if (!asked.some(({ reply }) => reply.kind === 'result'))
      yield unmet('the client answered nothing that its task needed', 'carries', 'all')
  },
  defects: [
    {
      named: 'answers without the task',
      breaks: 'carries',
      kind: 'missing',
      also: ['all'],
      replace: { relates: result => result },
    },
    {
      named: 'names the task in its answers to forms only',
      breaks: 'carries',
      kind: 'missing',
      also: ['all'],
      tamper: tampers.result('sampling/createMessage', ({ _meta: _, ...result }) => result),
    },
    {
      named: 'names the task under a key of its own',
      breaks: 'all',
      kind: 'missing',
      also: ['carries'],
      tamper: tampers.message(message => {
        const { _meta: meta, ...result } = (message.result ?? {}) as JsonObject
        const value = at(meta, RELATED_TASK)
        return value === undefined
          ? message
          : { ...message, result: { ...result, _meta: { 'com.example/task': value } } }
      }),
    },
    {
      named: 'is deaf on the stream of GET',
      breaks: 'anywhere',
      kind: 'silent',
      via: 'http',
      tamper: tampers.answer('sampling/createMessage', () => undefined),
    },
    {
      named: 'is deaf on the stream of tasks/result',
      breaks: 'anywhere',
      kind: 'silent',
      via: 'http',
      tamper: tampers.answer('elicitation/create', () => undefined),
    },
  ],
  variants: [
    { named: 'no stream of GET', via: 'http', replace: { listens: false } },
    {
      named: 'metadata of other kinds beside it',
      tamper: tampers.result('elicitation/create', ({ _meta, ...result }) => ({
        ...result,
        _meta: { ...(_meta as JsonObject), 'com.example/note': 1 },
      })),
    },
  ],
})
