import {
  at,
  attended,
  callAsTask,
  createdId,
  finish,
  judge,
  type MessageFrame,
  NO_TASK_TOOL,
  RELATED_TASK,
  serverScenario,
  TASK_HELLO,
  TTL_MS,
  tampers,
  taskTool,
  textAt,
  unmet,
} from '../../../src/suite/server.ts'

const TOKEN = 'token-of-the-task'

export default serverScenario({
  title: 'Progress of a task goes on under the token of its request, and says which task it is of',
  needs: { capability: 'tasks.requests.tools.call', since: '2025-11-25' },
  session: 'own',
  hello: TASK_HELLO,
  claims: {
    token: 'tasks.progress.token-valid-for-lifetime',
    marked: 'tasks.related.on-all-messages',
  },
  run: attended(async function* (peer) {
    const tool = await taskTool(peer, 'test_task_slow')
    const created =
      tool === undefined ? undefined : await callAsTask(peer, tool, { ttl: TTL_MS }, { meta: { progressToken: TOKEN } })
    const taskId = created === undefined ? undefined : createdId(created)
    if (tool === undefined || taskId === undefined) {
      yield unmet(tool === undefined ? NO_TASK_TOOL : `no task came about for ${tool.name}`)
      return
    }
    const { result } = await finish(peer, taskId)
    await peer.settle()
    const said = peer.heard().filter(({ json }) => SAID.includes(String(at(json, 'method'))))
    const progress = said.filter(({ json }) => at(json, 'method') === 'notifications/progress')
    for (const frame of progress) yield judge('token', tokenOf(frame) === TOKEN, `the token ${TOKEN}`, frame)
    if (progress.length === 0) yield judge('token', 'n/a', 'progress of a task', result)
    for (const frame of said) {
      // The token links progress to its task already; a log message need not be about it.
      const isMarked = at(frame.json, 'params', '_meta', RELATED_TASK, 'taskId') === taskId
      yield judge('marked', isMarked ? 'holds' : 'bends', `the id of the task under ${RELATED_TASK}`, frame, {
        kind: 'missing',
        subject: textAt(frame.json, 'method') ?? '',
      })
    }
    if (said.length === 0) yield judge('marked', 'n/a', 'a message of the task', result)
  }),
  defects: [
    {
      named: 'the task has a token of its own',
      breaks: 'token',
      kind: 'wrong-value',
      tamper: tampers.message(message =>
        message.method === 'notifications/progress'
          ? { ...message, params: { ...(message.params as object), progressToken: 'token-of-the-server' } }
          : message,
      ),
    },
    {
      named: 'progress without the task',
      breaks: 'marked',
      kind: 'missing',
      verdict: 'warn',
      tamper: tampers.message(message => {
        if (message.method !== 'notifications/progress') return message
        const { _meta: _, ...params } = message.params as { _meta?: object }
        return { ...message, params }
      }),
    },
  ],
  variants: [
    {
      named: 'a task without progress',
      tamper: tampers.message(message => (message.method === 'notifications/progress' ? undefined : message)),
    },
  ],
})

const SAID = ['notifications/progress', 'notifications/message']

const tokenOf = ({ json }: MessageFrame) => at(json, 'params', 'progressToken')
