import {
  at,
  followResults,
  inapplicable,
  isObject,
  type Json,
  type JsonObject,
  judge,
  monitor,
  ourMessages,
  RELATED_TASK,
  shapeOf,
  type Tamper,
  tampers,
  textAt,
  theirMessages,
} from '../../src/suite/monitor.ts'
import { lacksTasks } from './_task-log.ts'

/** What brings a task, if it is asked for as one. */
const AUGMENTED = ['tools/call', 'sampling/createMessage', 'elicitation/create']
/** Their results and requests name the task already. */
const OPERATIONS = ['tasks/get', 'tasks/list', 'tasks/cancel']
const NAMED = `no ${RELATED_TASK} where the message names the task already`

const CLAIMS = ['value', 'results', 'notifications', 'requests'] as const
const NONE = { text: 'the capability tasks is not declared', frames: [] }

interface State {
  follow: ReturnType<typeof followResults>
  /** ids of tasks of either side */
  known: Set<string>
}

/** Which task a message is of (basic/utilities/tasks#related-task-metadata). */
export default monitor({
  title: 'Messages of a task name it in their metadata, and others do not',
  sides: ['server', 'client'],
  needs: { since: '2025-11-25' },
  claims: {
    value: 'tasks.related.key-shape',
    results: 'tasks.related.receiver-omits-in-results',
    notifications: 'tasks.status.notification-without-related',
    requests: 'tasks.related.requestor-omits',
  },
  start: (): State => ({ follow: followResults(...AUGMENTED, ...OPERATIONS), known: new Set() }),
  *see(state, frame) {
    if (lacksTasks(frame)) yield* inapplicable(CLAIMS, 'the capability tasks', NONE)
    for (const message of ourMessages(frame)) {
      const ours = textAt(message, 'result', 'task', 'taskId')
      if (ours !== undefined) state.known.add(ours)
    }
    for (const { method, result } of state.follow(frame)) {
      for (const id of idsIn(result)) state.known.add(id)
      if (OPERATIONS.includes(method))
        yield judge('results', !names(result), NAMED, frame, { kind: 'unasked', subject: method })
    }
    for (const message of theirMessages(frame)) {
      const method = textAt(message, 'method') ?? ''
      const params = at(message, 'params')
      if (method === 'notifications/tasks/status') yield judge('notifications', !names(params), NAMED, frame, 'unasked')
      if (shapeOf(message) === 'request' && (OPERATIONS.includes(method) || method === 'tasks/result'))
        yield judge('requests', !names(params), NAMED, frame, { kind: 'unasked', subject: method })
      for (const holder of [params, at(message, 'result')]) {
        if (!names(holder)) continue
        const value = at(holder, '_meta', RELATED_TASK)
        const id = textAt(value, 'taskId')
        const isKnown = id !== undefined && state.known.has(id)
        const kind = isObject(value) ? 'wrong-value' : 'wrong-type'
        const expected = 'an object with the taskId of a task of this session'
        yield judge('value', isObject(value) && isKnown, expected, frame, kind)
      }
    }
  },
  defects: [
    ...['server', 'client'].flatMap(side => [
      {
        named: 'the id alone',
        on: `${side}/tasks/results`,
        breaks: 'value' as const,
        kind: 'wrong-type' as const,
        tamper: tampers.result('tasks/result', result => ({
          ...result,
          _meta: { [RELATED_TASK]: at(result, '_meta', RELATED_TASK, 'taskId') ?? null },
        })),
      },
      {
        named: 'an id that nobody knows',
        on: `${side}/tasks/results`,
        breaks: 'value' as const,
        kind: 'wrong-value' as const,
        tamper: tampers.result('tasks/result', result => ({ ...result, _meta: { [RELATED_TASK]: { taskId: 'x' } } })),
      },
      ...OPERATIONS.map(method => ({
        named: `metadata in the result of ${method}`,
        on: `${side}/tasks/${method === 'tasks/list' ? 'listing' : 'cancellation'}`,
        breaks: 'results' as const,
        kind: 'unasked' as const,
        tamper: tampers.result(method, result => marked(result, textAt(result, 'taskId') ?? idsIn(result)[0])),
      })),
      {
        named: 'metadata in a status notification',
        on: `${side}/tasks/polling`,
        breaks: 'notifications' as const,
        kind: 'unasked' as const,
        tamper: withMetadata('notifications/tasks/status'),
      },
      {
        named: 'metadata in its own polls',
        on: side === 'server' ? 'server/tasks/gives-tasks' : 'client/tasks/follows',
        breaks: 'requests' as const,
        kind: 'unasked' as const,
        tamper: withMetadata('tasks/get'),
      },
    ]),
    {
      named: 'metadata when it asks for the result of its task',
      on: 'client/tasks/follows',
      breaks: 'requests',
      kind: 'unasked',
      tamper: withMetadata('tasks/result'),
    },
    {
      named: 'the id alone in an answer to what its task needs',
      on: 'client/tasks/input',
      breaks: 'value',
      kind: 'wrong-type',
      tamper: tampers.result('elicitation/create', result => ({
        ...result,
        _meta: { [RELATED_TASK]: at(result, '_meta', RELATED_TASK, 'taskId') ?? null },
      })),
    },
  ],
  variants: [
    ...['server', 'client'].map(side => ({
      named: 'metadata of other kinds',
      on: `${side}/tasks/polling`,
      shows: ['results' as const, 'notifications' as const],
      tamper: tampers.result('tasks/get', result => ({ ...result, _meta: { 'x-own': 1 } })),
    })),
    { named: 'tasks of our server', on: 'client/tasks/follows', shows: ['requests'], replace: {} },
    { named: 'answers to what a task needs', on: 'client/tasks/input', shows: ['value'], replace: {} },
  ],
})

const names = (holder: Json | undefined): boolean => at(holder, '_meta', RELATED_TASK) !== undefined

/** The tasks that a result is about. */
function idsIn(result: Json): string[] {
  const listed = at(result, 'tasks')
  const tasks = [result, at(result, 'task'), ...(Array.isArray(listed) ? listed : [])]
  return tasks.flatMap(task => textAt(task, 'taskId') ?? [])
}

const marked = (holder: JsonObject, taskId: string | undefined): JsonObject => ({
  ...holder,
  _meta: { [RELATED_TASK]: { taskId: taskId ?? 'none' } },
})

/** The same in the params of a message of its own. */
function withMetadata(method: string): Tamper {
  return tampers.message(message =>
    message.method === method && isObject(message.params)
      ? { ...message, params: marked(message.params, textAt(message.params, 'taskId')) }
      : message,
  )
}
