import {
  at,
  CANCELLATION_FAULTS,
  type ClientRun,
  clientScenario,
  codes,
  inResult,
  isObject,
  isTerminal,
  type JsonObject,
  judge,
  notification,
  type Reply,
  refusalFault,
  type Sent,
  sent,
  statusIn,
  success,
  type Tamper,
  tampers,
  unmet,
  type Yielded,
} from '../../../src/suite/client.ts'
import { CANCELLED, ENDING, FINISHED } from './_ending-tasks.ts'
import { helloOf, receiving, without } from './_received-tasks.ts'

const MEMBERS = ['taskId', 'status', 'createdAt', 'lastUpdatedAt', 'ttl']

const CLAIMS = {
  shape: 'tasks.cancel.result-shape',
  before: 'tasks.cancel.cancelled-before-response',
  stays: 'tasks.cancel.stays-cancelled',
  stops: 'tasks.cancel.tries-to-stop',
  ended: 'tasks.cancel.rejects-terminal',
  answered: 'tasks.result.terminal-returns-final',
} as const

export default clientScenario({
  title: 'A task that the server cancels is cancelled at once and stays so, and an ended one cannot be cancelled',
  needs: { since: '2025-11-25' },
  script: ENDING,
  claims: CLAIMS,
  *run(seen) {
    yield* without(seen, CLAIMS)
    const { capabilities, taken, taskIds, cancelled, settled, again, result, later, ended, late } = seen.notes
    if (taken.length === 0) return
    if (!isObject(at(capabilities, 'tasks', 'cancel'))) {
      for (const claim of Object.keys(CLAIMS) as (keyof typeof CLAIMS)[])
        yield judge(claim, 'n/a', 'the capability tasks.cancel', helloOf(seen))
      return
    }
    if (late === undefined || ended === undefined) {
      yield unmet('no two tasks came about')
      return
    }
    if (isTerminal(statusIn(ended)))
      yield judge('ended', isRefused(late), 'error -32602 for what has ended', late, {
        kind: refusalFault(late),
        subject: 'an ended task',
      })
    // It may have ended while our request was on its way.
    const status = settled === undefined ? undefined : statusIn(settled)
    if (cancelled === undefined || (cancelled.kind === 'error' && (status === 'completed' || status === 'failed'))) {
      yield unmet('no task was still at work')
      return
    }
    yield* judgeAnswer(cancelled, taskIds[0])
    if (statusIn(cancelled) !== 'cancelled' || again === undefined || result === undefined || later === undefined) {
      yield unmet('no task could be cancelled')
      return
    }
    yield judge('ended', isRefused(again), 'error -32602 for a task that is cancelled already', again, {
      kind: refusalFault(again),
      subject: 'a cancelled task',
    })
    yield judge('answered', result.kind !== 'none', 'an answer to tasks/result of a cancelled task', result)
    const gone = later.kind === 'error' && later.code === codes.invalidParams
    yield judge('stays', gone || statusIn(later) === 'cancelled', 'cancelled for good, or forgotten', later)
    yield* judgeProgress(seen, cancelled)
  },
  defects: [
    ...CANCELLATION_FAULTS,
    {
      named: 'the model goes on and completes the task',
      breaks: 'stays',
      kind: 'wrong-value',
      replace: receiving({ mayMove: (from, to) => from === 'working' || (from === 'cancelled' && to === 'completed') }),
    },
    {
      named: 'the work goes on',
      breaks: 'stops',
      kind: 'ignored',
      tamper: workingOn(),
    },
    {
      named: 'cancels what has ended',
      breaks: 'ended',
      kind: 'accepted',
      replace: receiving({ mayMove: (from, to) => to === 'cancelled' || from === 'working' }),
    },
    {
      named: 'never answers about a cancelled task',
      breaks: 'answered',
      kind: 'silent',
      tamper: tampers.answer('tasks/result', () => undefined),
    },
  ],
  variants: [
    {
      named: 'work that nobody sees',
      tamper: tampers.message(message => (message.method === 'notifications/progress' ? undefined : message)),
    },
    { named: 'forgets a cancelled task', replace: receiving({ keepsAfter: event => event !== 'cancelled' }) },
    {
      named: 'answers tasks/result of a cancelled task by a result',
      tamper: tampers.answer('tasks/result', success({ action: 'cancel' })),
    },
  ],
})

/** The answer to tasks/cancel is the task itself, cancelled already. */
function* judgeAnswer(reply: Reply, taskId: string | undefined): Generator<Yielded<'shape' | 'before'>> {
  for (const member of reply.kind === 'result' ? MEMBERS : []) {
    const value = inResult(reply, member)
    const right = member === 'taskId' ? value === taskId : value !== undefined
    yield judge('shape', right, `the task with ${MEMBERS.join(', ')}, right in the result`, reply, {
      kind: value === undefined ? 'missing' : 'wrong-value',
      subject: `result.${member}`,
    })
  }
  yield judge('before', statusIn(reply) === 'cancelled', 'the status cancelled in the answer', reply)
}

/** The progress of a cancelled task does not come as far as that of one that ends. */
function* judgeProgress(seen: ClientRun<unknown>, cancelled: Reply): Generator<Yielded<'stops'>> {
  const progress = sent(seen, 'notifications/progress')
  const whole = progress.filter(({ params }) => params.progressToken === FINISHED).length
  const done = progress.filter(({ params }) => params.progressToken === CANCELLED)
  const cancelledAt = Math.max(...cancelled.frames.map(({ seq }) => seq))
  const isDone = done.length >= whole && done.some(({ frame }) => frame.seq > cancelledAt)
  if (whole < 2) yield judge('stops', 'n/a', 'progress that shows whether the task works', cancelled)
  else yield judge('stops', !isDone, `an end of the progress before its step ${whole}`, done.map(framed), 'ignored')
}

const isRefused = (reply: Reply): boolean => reply.kind === 'error' && reply.code === codes.invalidParams

const framed = ({ frame }: Sent) => frame

/** Once a task was cancelled, its progress goes on beside each answer. */
function workingOn(): Tamper {
  // By the transport: proofs over both of them run side by side.
  const told = new Map<string, number>()
  return tampers.message((message, cause, on): JsonObject[] => {
    if (message.method === 'initialize') told.delete(on)
    if (cause?.method === 'tasks/cancel') told.set(on, 10)
    const before = told.get(on)
    if (before === undefined || cause?.method !== 'tasks/get') return [message]
    told.set(on, before + 1)
    const params = { progressToken: CANCELLED, progress: before + 1 }
    return [notification('notifications/progress', params), message]
  })
}
