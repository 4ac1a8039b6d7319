import { RELATED_TASK } from '../../src/suite/tasks.ts'
import {
  at,
  followResults,
  isObject,
  type Json,
  type JsonObject,
  judge,
  lacks,
  monitor,
  ourMessages,
  shapeOf,
  tampers,
  textAt,
  theirMessages,
} from '../../src/suite.ts'

/** Their results and requests name the task already. */
const OPERATIONS = ['tasks/get', 'tasks/list', 'tasks/cancel']
const NAMED = `no ${RELATED_TASK} where the message names the task already`

interface State {
  follow: ReturnType<typeof followResults>
  /** ids of tasks of either side */
  known: Set<string>
  absent: boolean
}

/** Which task a message is of (basic/utilities/tasks#related-task-metadata). */
export default monitor({
  title: 'Messages of a task name it in their metadata, and others do not',
  needs: { since: '2025-11-25' },
  claims: {
    value: 'tasks.related.key-shape',
    results: 'tasks.related.receiver-omits-in-results',
    notifications: 'tasks.status.notification-without-related',
    requests: 'tasks.related.requestor-omits',
  },
  start: (): State => ({ follow: followResults('tools/call', ...OPERATIONS), known: new Set(), absent: false }),
  *see(state, frame) {
    state.absent ||= lacks(frame, 'tasks')
    for (const message of ourMessages(frame)) {
      const ours = textAt(message, 'result', 'task', 'taskId')
      if (ours !== undefined) state.known.add(ours)
    }
    for (const { method, result } of state.follow(frame)) {
      for (const id of idsIn(result)) state.known.add(id)
      if (OPERATIONS.includes(method)) yield judge('results', !names(result), NAMED, frame)
    }
    for (const message of theirMessages(frame)) {
      const method = textAt(message, 'method') ?? ''
      const params = at(message, 'params')
      if (method === 'notifications/tasks/status') yield judge('notifications', !names(params), NAMED, frame)
      if (shapeOf(message) === 'request' && (OPERATIONS.includes(method) || method === 'tasks/result'))
        yield judge('requests', !names(params), NAMED, frame)
      for (const holder of [params, at(message, 'result')]) {
        if (!names(holder)) continue
        const value = at(holder, '_meta', RELATED_TASK)
        const id = textAt(value, 'taskId')
        const isKnown = id !== undefined && state.known.has(id)
        yield judge('value', isObject(value) && isKnown, 'an object with the taskId of a task of this session', frame)
      }
    }
  },
  *end(state) {
    if (!state.absent || state.known.size > 0) return
    const got = { text: 'the capability tasks is not declared', frames: [] }
    for (const claim of ['value', 'results', 'notifications', 'requests'] as const)
      yield judge(claim, 'n/a', 'the capability tasks', got)
  },
  defects: [
    {
      named: 'the id alone',
      on: 'server/tasks/results',
      breaks: 'value',
      tamper: tampers.result('tasks/result', result => ({
        ...result,
        _meta: { [RELATED_TASK]: at(result, '_meta', RELATED_TASK, 'taskId') ?? null },
      })),
    },
    {
      named: 'an id that nobody knows',
      on: 'server/tasks/results',
      breaks: 'value',
      tamper: tampers.result('tasks/result', result => ({ ...result, _meta: { [RELATED_TASK]: { taskId: 'x' } } })),
    },
    ...OPERATIONS.map(method => ({
      named: `metadata in the result of ${method}`,
      on: method === 'tasks/list' ? 'server/tasks/listing' : 'server/tasks/cancellation',
      breaks: 'results' as const,
      tamper: tampers.result(method, result => marked(result, textAt(result, 'taskId') ?? idsIn(result)[0])),
    })),
    {
      named: 'metadata in a status notification',
      on: 'server/tasks/polling',
      breaks: 'notifications',
      tamper: tampers.message(message =>
        message.method === 'notifications/tasks/status' && isObject(message.params)
          ? { ...message, params: marked(message.params, textAt(message.params, 'taskId')) }
          : message,
      ),
    },
    {
      named: 'metadata in its own polls',
      on: 'server/tasks/gives-tasks',
      breaks: 'requests',
      tamper: tampers.message(message =>
        message.method === 'tasks/get' && isObject(message.params)
          ? { ...message, params: marked(message.params, textAt(message.params, 'taskId')) }
          : message,
      ),
    },
  ],
  variants: [
    {
      named: 'metadata of other kinds',
      on: 'server/tasks/polling',
      shows: ['results', 'notifications'],
      tamper: tampers.result('tasks/get', result => ({ ...result, _meta: { 'x-own': 1 } })),
    },
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
