import {
  at,
  clientScenario,
  failure,
  isTerminal,
  judge,
  type Kind,
  type Reply,
  refusalFault,
  statusIn,
  tampers,
  textAt,
  unmet,
} from '../../../src/suite/client.ts'
import { REFUSING } from './_failing-tasks.ts'
import { receiving, without } from './_received-tasks.ts'

const CLAIMS = {
  protocol: 'tasks.failed.on-jsonrpc-error',
  message: 'tasks.failed.status-message',
  same: 'tasks.result.same-error',
  success: 'tasks.result.success-response',
} as const

export default clientScenario({
  title: 'A request that fails makes its task failed, and tasks/result gives what the plain request would have given',
  needs: { since: '2025-11-25' },
  script: REFUSING,
  claims: CLAIMS,
  *run(seen) {
    yield* without(seen, CLAIMS)
    const { refusals, taken } = seen.notes
    if (taken.length === 0) return
    const declined = refusals.find(({ plain }) => textAt(resultIn(plain), 'action') !== undefined)
    if (declined?.result === undefined) {
      yield unmet('no elicitation was answered plainly and as a task', 'success')
    } else {
      const { plain, result } = declined
      const told = textAt(resultIn(result), 'action') === textAt(resultIn(plain), 'action')
      yield judge('success', told, `the result of the plain request: ${JSON.stringify(resultIn(plain))}`, result)
    }
    const failed = refusals.find(({ plain }) => plain.kind === 'error')
    if (failed?.result === undefined || failed.polled === undefined) {
      yield unmet('no request failed plainly and became a task', 'protocol', 'message', 'same')
      return
    }
    const { plain, polled, result } = failed
    yield judge(
      'same',
      sameError(plain, result),
      `the error of the plain request: ${errorIn(plain)}`,
      result,
      errorFault(plain, result),
    )
    if (!isTerminal(statusIn(polled))) {
      yield unmet('the task did not end in the time that we wait for it', 'protocol', 'message')
      return
    }
    const isFailed = statusIn(polled) === 'failed'
    yield judge('protocol', isFailed, 'the status failed after a JSON-RPC error', polled)
    if (!isFailed) yield unmet('the task has not failed', 'message')
    else
      yield judge(
        'message',
        (textAt(resultIn(polled), 'statusMessage') ?? '') !== '',
        'a statusMessage with a failed task',
        polled,
        'missing',
      )
  },
  defects: [
    {
      named: 'a JSON-RPC error completes the task',
      breaks: 'protocol',
      kind: 'wrong-value',
      replace: receiving({ ended: () => 'completed' }),
    },
    {
      named: 'failed, and nobody knows why',
      breaks: 'message',
      kind: 'missing',
      tamper: tampers.result('tasks/get', ({ statusMessage: _, ...task }) => task),
    },
    {
      named: 'failed with an empty message',
      breaks: 'message',
      kind: 'missing',
      tamper: tampers.result('tasks/get', task => ({ ...task, statusMessage: '' })),
    },
    {
      named: 'wraps the error in an internal one',
      breaks: 'same',
      kind: 'wrong-code',
      tamper: tampers.answer('tasks/result', message =>
        message.error === undefined ? message : { ...message, error: { code: -32603, message: 'the task failed' } },
      ),
    },
    {
      named: 'leaves the data of the error out',
      breaks: 'same',
      kind: 'wrong-value',
      tamper: tampers.answer('tasks/result', message => {
        const code = at(message, 'error', 'code')
        const text = at(message, 'error', 'message')
        return code === undefined || text === undefined ? message : { ...message, error: { code, message: text } }
      }),
    },
    {
      named: 'turns the error into a result',
      breaks: 'same',
      kind: 'accepted',
      tamper: tampers.answer('tasks/result', ({ error, ...message }) =>
        error === undefined ? message : { ...message, result: { role: 'assistant', content: [], model: 'none' } },
      ),
    },
    {
      named: 'turns a form that was declined into an error',
      breaks: 'success',
      kind: 'refused',
      tamper: tampers.answer('tasks/result', message =>
        at(message, 'result', 'action') === undefined ? message : failure(message.id, -1, 'declined'),
      ),
    },
  ],
})

const resultIn = (reply: Reply) => (reply.kind === 'result' ? reply.result : undefined)

const errorIn = (reply: Reply): string => (reply.kind === 'error' ? JSON.stringify(reply.error) : reply.kind)

/** What is wrong with an answer that should be this error. */
const errorFault = (due: Reply, reply: Reply): Kind =>
  due.kind === 'error' && reply.kind === 'error' && due.code === reply.code ? 'wrong-value' : refusalFault(reply)

const sameError = (a: Reply, b: Reply): boolean =>
  a.kind === 'error' &&
  b.kind === 'error' &&
  a.code === b.code &&
  a.message === b.message &&
  JSON.stringify(a.data) === JSON.stringify(b.data)
