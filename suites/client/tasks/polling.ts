import {
  at,
  clientScenario,
  inResult,
  judge,
  type Kind,
  POLLING_FAULTS,
  RELATED_TASK,
  type Reply,
  tampers,
  textAt,
  unmet,
} from '../../../src/suite/client.ts'
import { GIVING, UNKNOWN } from './_giving-tasks.ts'
import { receiving, without } from './_received-tasks.ts'

const STATUSES = ['working', 'input_required', 'completed', 'failed', 'cancelled']

const CLAIMS = {
  shape: 'tasks.get.result-shape',
  truth: 'tasks.related.param-is-truth',
  ignores: 'tasks.related.receiver-ignores',
} as const

export default clientScenario({
  title: 'The client describes the task that taskId names, whatever the metadata of tasks/get say',
  needs: { since: '2025-11-25' },
  script: GIVING,
  claims: CLAIMS,
  *run(seen) {
    yield* without(seen, CLAIMS)
    for (const { method, taskId, soon, mixed, odd } of seen.notes.courses) {
      if (taskId === undefined || soon === undefined) {
        yield unmet(`no task came about for ${method}`)
        continue
      }
      const expected = 'taskId and status of the task, right in the result'
      yield judge('shape', isAbout(soon, taskId), expected, soon, { kind: taskFault(soon), subject: method })
      if (!isAbout(soon, taskId) || mixed === undefined || odd === undefined) {
        yield unmet('the control, tasks/get without metadata, did not describe the task', 'truth', 'ignores')
        continue
      }
      yield judge('truth', isAbout(mixed, taskId), 'the task that taskId names, not the one in the metadata', mixed, {
        kind: taskFault(mixed),
        subject: method,
      })
      yield judge('ignores', isAbout(odd, taskId), 'metadata that are ignored', odd, {
        kind: taskFault(odd),
        subject: method,
      })
    }
  },
  defects: [
    ...POLLING_FAULTS,
    {
      named: 'looks into the metadata for the task',
      breaks: 'truth',
      kind: 'wrong-value',
      also: ['ignores'],
      replace: receiving({ target: params => at(params, '_meta', RELATED_TASK, 'taskId') ?? params.taskId }),
    },
    {
      named: 'refuses unknown tasks in the metadata',
      breaks: 'ignores',
      kind: 'refused',
      replace: receiving({
        target: params => (at(params, '_meta', RELATED_TASK, 'taskId') === UNKNOWN ? undefined : params.taskId),
      }),
    },
    {
      named: 'keeps answers to requests with metadata back',
      breaks: 'ignores',
      kind: 'silent',
      also: ['truth'],
      tamper: tampers.answer('tasks/get', (message, cause) =>
        at(cause, 'params', '_meta', RELATED_TASK) === undefined ? message : undefined,
      ),
    },
  ],
  variants: [{ named: 'a member of its own', tamper: tampers.result('tasks/get', task => ({ ...task, 'x-own': 1 })) }],
})

const taskFault = (reply: Reply): Kind =>
  reply.kind === 'error' ? 'refused' : inResult(reply, 'taskId') === undefined ? 'missing' : 'wrong-value'

function isAbout(reply: Reply, taskId: string): boolean {
  return (
    reply.kind === 'result' &&
    textAt(reply.result, 'taskId') === taskId &&
    STATUSES.includes(textAt(reply.result, 'status') ?? '') &&
    at(reply.result, 'task') === undefined
  )
}
