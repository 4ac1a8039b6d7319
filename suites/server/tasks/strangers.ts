import {
  abandon,
  callAsTask,
  createdId,
  declaring,
  headerValue,
  judge,
  listAll,
  NO_TASK_TOOL,
  type ServerPeer,
  serverScenario,
  TASK_HELLO,
  taskTool,
  textAt,
  unmet,
  withTasks,
} from '../../../src/suite/server.ts'

const EXPECTED = 'no tasks.list where the server cannot tell who asks'

export default serverScenario({
  title: 'A server that cannot tell its clients apart does not list tasks',
  needs: { capability: 'tasks', via: 'http', since: '2025-11-25' },
  hello: TASK_HELLO,
  claims: { hides: 'tasks.security.no-list-without-identity' },
  async *run(peer) {
    const opening = peer.opening ?? { text: 'no handshake', frames: [] }
    if (peer.capabilities.tasks === undefined || !lists(peer)) {
      yield judge('hides', true, EXPECTED, opening)
      return
    }
    if (isAuthorized(peer)) {
      yield judge('hides', 'n/a', 'only judged where requests carry no authorization', opening)
      return
    }
    if (peer.sessionId === undefined) {
      yield judge('hides', false, EXPECTED, opening, 'unasked')
      return
    }
    // A session is enough to tell two clients apart, as long as the server uses it for that.
    const tool = await taskTool(peer, 'test_task_slow')
    const taskId = tool === undefined ? undefined : createdId(await callAsTask(peer, tool))
    const other = await peer.another(TASK_HELLO)
    if (taskId === undefined || other.opening?.kind !== 'result') {
      yield unmet(tool === undefined ? NO_TASK_TOOL : 'no task, or no second session, came about')
      return
    }
    const { entries, replies } = await listAll(other, 'tasks/list', 'tasks')
    const seen = entries.some(entry => textAt(entry, 'taskId') === taskId)
    yield judge('hides', !seen, 'no task of one client in the list of another', replies.at(-1) ?? opening, 'leaked')
    await abandon(peer, taskId)
  },
  defects: [
    {
      named: 'lists the tasks of everybody',
      breaks: 'hides',
      kind: 'leaked',
      replace: withTasks({ sees: () => true }),
    },
    {
      named: 'lists tasks and has no sessions',
      breaks: 'hides',
      kind: 'unasked',
      replace: { sessionIds: () => undefined, missingSession: () => undefined },
    },
  ],
  variants: [
    {
      named: 'no list of tasks',
      shows: ['hides'],
      replace: declaring({ cancel: {}, requests: { tools: { call: {} } } }),
    },
    {
      named: 'neither sessions nor a list',
      shows: ['hides'],
      replace: {
        ...declaring({ requests: { tools: { call: {} } } }),
        sessionIds: () => undefined,
        missingSession: () => undefined,
      },
    },
  ],
})

const lists = ({ capabilities }: ServerPeer): boolean => {
  const { tasks } = capabilities
  return typeof tasks === 'object' && tasks !== null && 'list' in tasks
}

/** Whether our own requests carry credentials: then all our sessions are those of one user. */
const isAuthorized = (peer: ServerPeer): boolean =>
  (peer.opening?.frames ?? []).some(
    frame => frame.kind === 'http' && frame.from === 'us' && headerValue(frame.headers, 'authorization') !== undefined,
  )
