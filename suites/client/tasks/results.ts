import {
  at,
  clientScenario,
  isObject,
  isTerminal,
  type Json,
  type JsonObject,
  judge,
  RELATED_TASK,
  type Reply,
  statusIn,
  tampers,
  unmet,
} from '../../../src/suite/client.ts'
import { type Course, GIVING } from './_giving-tasks.ts'
import { receiving, without } from './_received-tasks.ts'

const CLAIMS = {
  waits: 'tasks.result.blocks-until-terminal',
  final: 'tasks.result.terminal-returns-final',
  type: 'tasks.result.matches-original-type',
  related: 'tasks.related.result-must-include',
  all: 'tasks.related.on-all-messages',
  exact: 'tasks.result.exact',
} as const

export default clientScenario({
  title: 'The client answers tasks/result when the task has ended, with the result of the plain request',
  needs: { since: '2025-11-25' },
  script: GIVING,
  claims: CLAIMS,
  *run(seen) {
    yield* without(seen, CLAIMS)
    for (const course of seen.notes.courses) {
      const { method, taskId, meanwhile, result, after, again, plain } = course
      if (!isWhole(course) || meanwhile === undefined || result === undefined || after === undefined) {
        yield unmet(`no task came about for ${method}`)
        continue
      }
      if (result.kind === 'none' && !isTerminal(statusIn(after))) {
        yield unmet(`the task of ${method} did not end in the time that we wait for it`)
        continue
      }
      const early = isGoingOn(after) || isGoingOn(result)
      if (!early && isTerminal(statusIn(meanwhile)))
        yield unmet(`the task of ${method} ended before anything could wait for it`, 'waits')
      else
        yield judge(
          'waits',
          !early,
          'no answer to tasks/result before the task has ended',
          isGoingOn(after) ? after : result,
          { kind: 'wrong-order', subject: method },
        )
      if (early) continue
      yield judge('final', result.kind !== 'none', 'the result of the ended task', result, { subject: method })
      if (result.kind !== 'result') continue
      const named = at(result.result, '_meta', RELATED_TASK, 'taskId')
      const right = isResultOf(method, result.result)
      yield judge('type', right, `a result of ${method}`, result, { kind: 'wrong-type', subject: method })
      for (const claim of ['related', 'all'] as const)
        yield judge(claim, named === taskId, `the id of the task under ${RELATED_TASK}`, result, {
          kind: named === undefined ? 'missing' : 'wrong-value',
          subject: method,
        })
      if (again !== undefined)
        yield judge('final', equals(again, result), 'the same once more, within the ttl', again, {
          kind: again.kind === 'error' ? 'lost' : 'wrong-value',
          subject: method,
        })
      if (plain.kind !== 'result') yield unmet(`the control, a plain ${method}, brought no result`, 'exact')
      else
        yield judge('exact', equals(plain, result), `what the plain request brought: ${bare(plain)}`, result, {
          subject: method,
        })
    }
  },
  defects: [
    {
      named: 'answers with the state of the task at once',
      breaks: 'waits',
      kind: 'wrong-order',
      replace: receiving({ waits: false }),
    },
    {
      named: 'forgets a result that was fetched',
      breaks: 'final',
      kind: 'lost',
      replace: receiving({ keepsAfter: () => false }),
    },
    {
      named: 'never answers',
      breaks: 'final',
      kind: 'silent',
      tamper: tampers.answer('tasks/result', () => undefined),
    },
    {
      named: 'wraps the result',
      breaks: 'type',
      kind: 'wrong-type',
      also: ['exact'],
      tamper: tampers.result('tasks/result', ({ _meta, ...result }) => ({ _meta, result })),
    },
    {
      named: 'answers with the task instead',
      breaks: 'type',
      kind: 'wrong-type',
      also: ['exact'],
      tamper: tampers.result('tasks/result', ({ _meta }) => ({ _meta, taskId: 'x', status: 'completed' })),
    },
    {
      named: 'does not say which task the result is of',
      breaks: 'related',
      kind: 'missing',
      also: ['all'],
      replace: receiving({ relates: () => ({}) }),
    },
    {
      named: 'says under a key of its own which task the result is of',
      breaks: 'all',
      kind: 'missing',
      also: ['related'],
      replace: receiving({ relates: taskId => ({ 'com.example/task': { taskId } }) }),
    },
    {
      named: 'has more to say after a task',
      breaks: 'exact',
      kind: 'wrong-value',
      tamper: tampers.result('tasks/result', result => ({ ...result, stopReason: 'task ended' })),
    },
  ],
  variants: [
    {
      named: 'a result with metadata of its own',
      tamper: tampers.result('tasks/result', ({ _meta, ...result }) => ({
        ...result,
        _meta: { ...(isObject(_meta) ? _meta : {}), 'com.example/note': 1 },
      })),
    },
  ],
})

/** It says of itself, or of its task, that the end has not come. */
const isGoingOn = (reply: Reply): boolean => ['working', 'input_required'].includes(statusIn(reply) ?? '')

const isWhole = ({ taskId }: Course): boolean => taskId !== undefined

const isResultOf = (method: string, result: Json): boolean =>
  method === 'elicitation/create'
    ? typeof at(result, 'action') === 'string'
    : typeof at(result, 'role') === 'string' && at(result, 'content') !== undefined

const equals = (a: Reply, b: Reply): boolean => bare(a) === bare(b)

/** Without metadata, and in a fixed order: it means nothing in JSON. */
function bare(reply: Reply): string {
  if (reply.kind !== 'result' || !isObject(reply.result)) return reply.kind
  const { _meta: _, ...rest } = reply.result
  return JSON.stringify(sorted(rest))
}

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isObject(value)) return value
  const entries = Object.entries(value as JsonObject).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([name, member]) => [name, sorted(member ?? null)]))
}
