import {
  at,
  attended,
  CANCELLATION_FAULTS,
  callAsTask,
  codes,
  createdId,
  finish,
  isTerminal,
  judge,
  type MessageFrame,
  NO_TASK_TOOL,
  type Reply,
  refusalFault,
  serverScenario,
  statusIn,
  TASK_HELLO,
  TTL_MS,
  tampers,
  taskTool,
  unmet,
  withTasks,
} from '../../../src/suite/server.ts'

const MEMBERS = ['taskId', 'status', 'createdAt', 'lastUpdatedAt', 'ttl']

export default serverScenario({
  title: 'A cancelled task is cancelled at once and for good, and an ended one cannot be cancelled',
  needs: { capability: 'tasks.cancel', since: '2025-11-25' },
  session: 'own',
  hello: TASK_HELLO,
  claims: {
    shape: 'tasks.cancel.result-shape',
    before: 'tasks.cancel.cancelled-before-response',
    stays: 'tasks.cancel.stays-cancelled',
    stops: 'tasks.cancel.tries-to-stop',
    ended: 'tasks.cancel.rejects-terminal',
    answered: 'tasks.result.terminal-returns-final',
  },
  run: attended(async function* (peer) {
    const tool = await taskTool(peer, 'test_task_slow')
    const begin = async (progressToken: string): Promise<string | undefined> =>
      tool === undefined
        ? undefined
        : createdId(await callAsTask(peer, tool, { ttl: TTL_MS }, { meta: { progressToken } }))
    const taskId = await begin('cancelled')
    const running = await peer.request('tasks/get', { taskId: taskId ?? '' })
    if (tool === undefined || taskId === undefined || isTerminal(statusIn(running))) {
      yield unmet(tool === undefined ? NO_TASK_TOOL : `no task of ${tool.name} was still at work`)
      return
    }
    const reply = await peer.request('tasks/cancel', { taskId })
    if (reply.kind === 'result') {
      for (const member of MEMBERS) {
        const value = at(reply.result, member)
        const right = member === 'taskId' ? value === taskId : value !== undefined
        yield judge('shape', right, `the task with ${MEMBERS.join(', ')}, right in the result`, reply, {
          kind: value === undefined ? 'missing' : 'wrong-value',
          subject: `result.${member}`,
        })
      }
    }
    yield judge('before', statusIn(reply) === 'cancelled', 'the status cancelled in the answer', reply)
    if (statusIn(reply) !== 'cancelled') {
      yield unmet('no task could be cancelled')
      return
    }
    const again = await peer.request('tasks/cancel', { taskId })
    yield judge('ended', isRefused(again), 'error -32602 for a task that is cancelled already', again, {
      kind: refusalFault(again),
      subject: 'a cancelled task',
    })
    const result = await peer.request('tasks/result', { taskId })
    yield judge(
      'answered',
      result.kind === 'result' || result.kind === 'error',
      'an answer to tasks/result of a cancelled task',
      result,
    )

    // Another task of the same kind, from beginning to end: by then the cancelled one would have ended, too.
    const other = await begin('finished')
    if (other === undefined) {
      yield unmet(`no second task came about for ${tool.name}`)
      return
    }
    const { polled } = await finish(peer, other)
    const later = await peer.request('tasks/get', { taskId })
    const gone = later.kind === 'error' && later.code === codes.invalidParams
    yield judge('stays', gone || statusIn(later) === 'cancelled', 'cancelled for good, or forgotten', later)
    if (!isTerminal(statusIn(polled))) {
      yield unmet(`the task of ${tool.name} did not end in the time that we wait for it`)
      return
    }
    const late = await peer.request('tasks/cancel', { taskId: other })
    yield judge('ended', isRefused(late), 'error -32602 for a task that has ended', late, {
      kind: refusalFault(late),
      subject: 'a task that has ended',
    })
    const steps = (token: string): MessageFrame[] =>
      peer.heard().filter(({ json }) => at(json, 'params', 'progressToken') === token)
    const whole = steps('finished').length
    const done = steps('cancelled')
    if (whole < 2) yield unmet(`${tool.name} does not show by progress whether it works`, 'stops')
    else yield judge('stops', done.length < whole, `an end of the progress before its step ${whole}`, done, 'ignored')
  }),
  defects: [
    ...CANCELLATION_FAULTS,
    {
      named: 'the work goes on and completes the task',
      breaks: 'stays',
      kind: 'wrong-value',
      also: ['stops', 'ended'],
      replace: withTasks({
        stops: false,
        mayMove: (from, to) => from !== 'completed' && (from !== 'cancelled' || to === 'completed'),
      }),
    },
    { named: 'the work goes on in vain', breaks: 'stops', kind: 'ignored', replace: withTasks({ stops: false }) },
    {
      named: 'cancels what has ended',
      breaks: 'ended',
      kind: 'accepted',
      replace: withTasks({
        mayMove: (from, to) => to === 'cancelled' || (from !== 'completed' && from !== 'cancelled'),
      }),
    },
    {
      named: 'never answers about a cancelled task',
      breaks: 'answered',
      kind: 'silent',
      tamper: tampers.answer('tasks/result', message =>
        at(message, 'result', 'isError') === true ? undefined : message,
      ),
    },
  ],
  variants: [{ named: 'forgets a cancelled task', replace: withTasks({ keepsAfter: event => event !== 'cancelled' }) }],
})

const isRefused = (reply: Reply): boolean => reply.kind === 'error' && reply.code === codes.invalidParams
