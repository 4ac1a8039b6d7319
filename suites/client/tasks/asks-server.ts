import {
  at,
  clientScenario,
  isObject,
  type JsonObject,
  judge,
  RELATED_TASK,
  type Reply,
  request,
  statusIn,
  type Tamper,
  tampers,
  textAt,
  unmet,
} from '../../../src/suite/client.ts'
import { GIVING } from './_giving-tasks.ts'
import { without } from './_received-tasks.ts'

const CLAIMS = {
  status: 'tasks.input.moves-to-input-required',
  marked: 'tasks.input.request-has-related-task',
  same: 'tasks.related.nested-shares-id',
  leaves: 'tasks.input.leaves-input-required',
} as const

/** Nothing makes a client ask: but one whose model uses a tool of the server for its answer may do so. */
export default clientScenario({
  title:
    'A task of the client that needs the server becomes input_required, names itself in its requests, and continues',
  needs: { since: '2025-11-25' },
  script: GIVING,
  claims: CLAIMS,
  *run(seen) {
    yield* without(seen, CLAIMS)
    const { courses, nested, taken } = seen.notes
    if (taken.length === 0) return
    const waiting = courses.flatMap(({ soon, meanwhile, after }) =>
      [soon, meanwhile, after].flatMap(reply => (reply !== undefined && isWaiting(reply) ? [reply] : [])),
    )
    const [first] = waiting
    if (nested.length === 0 && first === undefined) {
      const got = { text: 'a client that asks for nothing', frames: [seen.end.frame] }
      for (const claim of ['status', 'marked', 'same', 'leaves'] as const)
        yield judge(claim, 'n/a', 'a task that needs the server', got)
      return
    }
    const isMarked = nested.some(({ named }) => named !== undefined)
    if (first !== undefined || isMarked)
      yield judge(
        'marked',
        isMarked,
        `a request with ${RELATED_TASK}`,
        nested[0]?.frame ?? first ?? seen.end.frame,
        'missing',
      )
    for (const { named, frame, polled } of nested) {
      const course = courses.find(({ taskId }) => taskId === named)
      if (named !== undefined) yield judge('same', course !== undefined, 'the id of the task that it serves', frame)
      if (course === undefined || polled === undefined) continue
      yield judge('status', isWaiting(polled), 'input_required while it waits', polled)
      if (course.after !== undefined)
        yield judge('leaves', !isWaiting(course.after), 'another status once the answer is there', course.after)
    }
    if (!isMarked) yield unmet('no request named the task', 'status', 'same', 'leaves')
  },
  defects: [
    {
      named: 'works on while it waits',
      breaks: 'status',
      kind: 'wrong-value',
      tamper: asking({ status: status => status }),
    },
    {
      named: 'asks without saying for which task',
      breaks: 'marked',
      kind: 'missing',
      tamper: asking({ meta: () => ({}) }),
    },
    {
      named: 'names a task of the request itself',
      breaks: 'same',
      kind: 'wrong-value',
      tamper: asking({ meta: () => ({ [RELATED_TASK]: { taskId: 'of-the-call' } }) }),
    },
    {
      named: 'stays in input_required',
      breaks: 'leaves',
      kind: 'wrong-value',
      tamper: asking({ status: () => 'input_required' }),
    },
  ],
  variants: [{ named: 'uses a tool', shows: ['status', 'marked', 'same', 'leaves'], tamper: asking({}) }],
})

const isWaiting = (reply: Reply): boolean => statusIn(reply) === 'input_required'

interface Manner {
  status?(status: string): string
  meta?(taskId: string): JsonObject
}

/** The first task of the model calls a tool of the server, and needs that for its answer. */
function asking({
  status = told => (told === 'working' ? 'input_required' : told),
  meta = taskId => ({ [RELATED_TASK]: { taskId } }),
}: Manner): Tamper {
  // Proofs over both transports run side by side.
  const owns = new Map<string, string>()
  return tampers.message((message, cause, on): JsonObject[] => {
    if (message.method === 'initialize') owns.delete(on)
    const own = owns.get(on)
    const { result } = message
    const created = textAt(result, 'task', 'taskId')
    if (own === undefined && created !== undefined && at(cause, 'params', 'task', 'ttl') !== undefined) {
      owns.set(on, created)
      const params = { name: 'add_numbers', arguments: { a: 1, b: 2 }, _meta: meta(created) }
      return [message, request('of-the-task', 'tools/call', params)]
    }
    if (cause?.method !== 'tasks/get' || !isObject(result) || result.taskId !== own || own === undefined)
      return [message]
    return [{ ...message, result: { ...result, status: status(String(result.status)) } }]
  })
}
