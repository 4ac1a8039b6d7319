import {
  attended,
  callAsTask,
  createdId,
  finish,
  isTerminal,
  judge,
  mediaType,
  NO_TASK_TOOL,
  type Reply,
  serverScenario,
  statusIn,
  TASK_HELLO,
  taskTool,
  unmet,
  withTasks,
} from '../../../src/suite/server.ts'

export default serverScenario({
  title: 'A client may leave the stream of tasks/get or tasks/result: the task goes on and its result is kept',
  needs: { capability: 'tasks.requests.tools.call', via: 'http', since: '2025-11-25' },
  session: 'fresh',
  hello: TASK_HELLO,
  claims: {
    poll: 'tasks.get.client-may-disconnect-sse',
    result: 'tasks.result.client-may-disconnect-sse',
  },
  run: attended(async function* (peer) {
    const tool = await taskTool(peer, 'test_task_slow')
    const taskId = tool === undefined ? undefined : createdId(await callAsTask(peer, tool))
    if (tool === undefined || taskId === undefined) {
      yield unmet(tool === undefined ? NO_TASK_TOOL : `no task came about for ${tool.name}`)
      return
    }
    const control = await peer.request('tasks/get', { taskId })
    if (statusIn(control) === undefined) {
      yield unmet('the control, an undisturbed tasks/get, did not describe the task')
      return
    }
    const streams = mediaType(control.http?.contentType ?? '') === 'text/event-stream'
    const leave = async (method: string): Promise<void> => {
      await peer.http({ method: 'POST', body: peer.draft(method, { taskId }), until: 'head' })
    }
    if (streams) await leave('tasks/get')
    const left = await peer.request('tasks/get', { taskId })
    if (streams) yield judge('poll', lives(left), 'the same task, not cancelled, after a poll was left', left, 'lost')
    else yield judge('poll', 'n/a', 'an event stream in answer to tasks/get', control)

    if (isTerminal(statusIn(left))) {
      yield unmet(`the task of ${tool.name} ended before the stream of its result could be left`, 'result')
      return
    }
    await leave('tasks/result')
    const { polled, result } = await finish(peer, taskId)
    if (polled.kind === 'result' && !isTerminal(statusIn(polled))) {
      yield unmet(`the task of ${tool.name} did not end in the time that we wait for it`, 'result')
      return
    }
    yield judge('result', lives(polled), 'a task that was not cancelled when the stream was left', polled, 'lost')
    yield judge('result', result.kind === 'result', 'the result for those who ask again', result, 'lost')
  }),
  defects: [
    {
      named: 'the task is gone with the connection of a poll',
      breaks: 'poll',
      kind: 'lost',
      also: ['result'],
      replace: goneWithPoll,
    },
    {
      named: 'a result is given out once, to whomever',
      breaks: 'result',
      kind: 'lost',
      replace: withTasks({ keepsAfter: () => false }),
    },
    { named: 'the task is gone with the connection', breaks: 'result', kind: 'lost', replace: goneWithConnection },
  ],
  variants: [{ named: 'answers polls by a stream', shows: ['poll', 'result'], replace: { answerBy: () => 'sse' } }],
})

const lives = (reply: Reply): boolean => {
  const status = statusIn(reply)
  return status !== undefined && status !== 'cancelled'
}

function goneWithConnection() {
  let lost = false
  return {
    onDisconnect: () => {
      lost = true
      return 'cancel' as const
    },
    ...withTasks({ sees: () => !lost }),
  }
}

/** The answer to a poll takes long enough to be left. */
function goneWithPoll() {
  return {
    ...goneWithConnection(),
    answerBy: () => 'sse' as const,
    delay: (message: { method?: unknown }) => (message.method === 'tasks/get' ? 30 : 0),
  }
}
