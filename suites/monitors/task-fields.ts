import {
  inapplicable,
  isTimestamp,
  type Json,
  type JsonObject,
  judge,
  type Kind,
  monitor,
  type Outcome,
  tampers,
  textAt,
  textFault,
  withTasks,
} from '../../src/suite/monitor.ts'
import { receiving } from '../client/tasks/_received-tasks.ts'
import { followTasks, lacksTasks } from './_task-log.ts'

const CLAIMS = ['id', 'created', 'updated', 'ttl', 'interval'] as const
/** A date-time of RFC 3339, to which the clause leads. */
const DATE_TIME = /^\d{4}-\d\d-\d\d[t ]\d\d:\d\d:\d\d(?:\.\d+)?(?:z|[+-]\d\d:\d\d)$/i
const NONE = { text: 'the capability tasks is not declared', frames: [] }
/** A description is shown up to here. */
const SHOWN = 300

interface State {
  follow: ReturnType<typeof followTasks>
  /** when each task was created, as it was told first */
  created: Map<string, Json | undefined>
}

/**
 * The members of a task, wherever it is described (basic/utilities/tasks#task). Its status, and that a notification has all of
 * them, is a matter of monitors/schema.
 */
export default monitor({
  title: 'Tasks are described by an id, times and durations of the right kind',
  sides: ['server', 'client'],
  needs: { since: '2025-11-25' },
  claims: {
    id: 'tasks.id.string',
    created: 'tasks.fields.created-at',
    updated: 'tasks.fields.last-updated-at',
    ttl: 'tasks.ttl.in-get-response',
    interval: 'tasks.fields.poll-interval',
  },
  start: ({ via }): State => ({ follow: followTasks(via), created: new Map() }),
  *see(state, frame) {
    if (lacksTasks(frame)) yield* inapplicable(CLAIMS, 'the capability tasks', NONE)
    for (const { task, by } of state.follow(frame)) {
      const got = { text: JSON.stringify(task).slice(0, SHOWN), frames: [frame] }
      const { createdAt, lastUpdatedAt, ttl, pollInterval } = task
      if (by === 'created') yield judge('id', idFit(task.taskId), 'an id that is a string', got, textFault(task.taskId))
      yield judge('created', timeFit(createdAt), 'a date-time of RFC 3339 as createdAt', got, textFault(createdAt))
      const updated = 'a date-time of RFC 3339 as lastUpdatedAt'
      yield judge('updated', timeFit(lastUpdatedAt), updated, got, textFault(lastUpdatedAt))
      if (Date.parse(String(lastUpdatedAt)) < Date.parse(String(createdAt)))
        yield judge('updated', false, 'a lastUpdatedAt that is not before createdAt', got, 'wrong-value')
      yield judge('ttl', isTtl(ttl), 'a ttl in milliseconds, or null', got, numberFault(ttl))
      const expected = 'a positive integer, or no pollInterval'
      yield judge('interval', isInterval(pollInterval), expected, got, numberFault(pollInterval))
      const id = textAt(task, 'taskId')
      if (id === undefined) continue
      if (state.created.has(id))
        yield judge('created', state.created.get(id) === createdAt, 'the same createdAt as before', got, 'wrong-value')
      else state.created.set(id, createdAt)
    }
  },
  defects: [
    {
      named: 'ids that are numbers',
      on: 'server/tasks/results',
      breaks: 'id',
      kind: 'wrong-type',
      replace: withTasks({ id: () => 4711 }),
    },
    {
      named: 'ids that are numbers',
      on: 'client/tasks/ids',
      breaks: 'id',
      kind: 'wrong-type',
      replace: receiving({ id: () => 4711 }),
    },
    ...(
      [
        ['a creation time in seconds', 'created', 'wrong-type', { createdAt: 1_764_500_000 }],
        ['a creation time in words', 'created', 'malformed', { createdAt: 'Sun, 30 Nov 2025 10:30:00 GMT' }],
        ['a creation time without an offset', 'created', 'malformed', { createdAt: '2025-11-25T10:30:00' }],
        ['another creation time at a poll', 'created', 'wrong-value', { createdAt: '2020-01-01T00:00:00Z' }],
        ['no last update', 'updated', 'missing', { lastUpdatedAt: undefined }],
        ['a last update in words', 'updated', 'malformed', { lastUpdatedAt: 'just now' }],
        ['a last update before the creation', 'updated', 'wrong-value', { lastUpdatedAt: '2020-01-01T00:00:00Z' }],
        ['no ttl', 'ttl', 'missing', { ttl: undefined }],
        ['a ttl as text', 'ttl', 'wrong-type', { ttl: '60000' }],
        ['a ttl below zero', 'ttl', 'wrong-value', { ttl: -1 }],
        ['no time between polls', 'interval', 'wrong-value', { pollInterval: 0 }],
        ['an interval as text', 'interval', 'wrong-type', { pollInterval: '1s' }],
      ] as const
    ).flatMap(([named, breaks, kind, change]) =>
      ['server', 'client'].map(side => ({
        named,
        on: `${side}/tasks/results`,
        breaks,
        kind,
        tamper: tampers.result('tasks/get', task => ({ ...task, ...change })),
      })),
    ),
  ],
  variants: [
    { named: 'tasks of the reference', on: 'server/tasks/cancellation', shows: [...CLAIMS], replace: {} },
    { named: 'tasks of the reference', on: 'client/tasks/cancellation', shows: [...CLAIMS], replace: {} },
    { named: 'tasks without end', on: 'client/tasks/results', shows: ['ttl'], replace: receiving({ ttl: () => null }) },
    { named: 'tasks without end', on: 'server/tasks/results', shows: ['ttl'], replace: withTasks({ ttl: () => null }) },
    {
      named: 'no pollInterval',
      on: 'server/tasks/results',
      shows: ['interval'],
      tamper: tampers.result('tasks/get', ({ pollInterval: _, ...task }) => task),
    },
    {
      named: 'times with an offset, and no fraction',
      on: 'server/tasks/results',
      shows: ['created', 'updated'],
      tamper: tampers.message(message => {
        const text = JSON.stringify(message).replace(/(T\d\d:\d\d:\d\d)\.\d+Z/g, '$1+00:00')
        return JSON.parse(text) as JsonObject
      }),
    },
  ],
})

const idFit = (id: Json | undefined): Outcome => (typeof id !== 'string' ? 'breaks' : id === '' ? 'bends' : 'holds')

const numberFault = (value: Json | undefined): Kind =>
  value === undefined ? 'missing' : typeof value === 'number' ? 'wrong-value' : 'wrong-type'

/** Other forms of ISO 8601 can be read, too, if not by everybody. */
function timeFit(time: Json | undefined): Outcome {
  if (typeof time === 'string' && DATE_TIME.test(time) && !Number.isNaN(Date.parse(time))) return 'holds'
  return isTimestamp(time) ? 'bends' : 'breaks'
}

const isTtl = (ttl: Json | undefined): boolean => ttl === null || (Number.isInteger(ttl) && Number(ttl) >= 0)

const isInterval = (interval: Json | undefined): boolean =>
  interval === undefined || (Number.isInteger(interval) && Number(interval) > 0)
