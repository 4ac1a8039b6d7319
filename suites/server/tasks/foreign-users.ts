import {
  at,
  callAsTask,
  createdId,
  judge,
  NO_TASK_TOOL,
  type Reply,
  type ServerPeer,
  serverScenario,
  statusIn,
  TASK_HELLO,
  taskTool,
  unmet,
  withTasks,
} from '../../../src/suite/server.ts'

/** Credentials of two users that a server made for this test knows. */
const USERS = ['Bearer test_user_1', 'Bearer test_user_2'] as const

export default serverScenario({
  title: 'With authorization a task belongs to its user: nobody else sees, fetches, cancels or lists it',
  session: 'no-handshake',
  needs: { via: 'http', since: '2025-11-25' },
  claims: {
    get: 'tasks.security.reject-foreign-get',
    result: 'tasks.security.reject-foreign-result',
    cancel: 'tasks.security.reject-foreign-cancel',
    list: 'tasks.security.list-own-only',
  },
  async *run(peer) {
    const nobody = await open(await peer.another('no-handshake'), null)
    if (nobody.opening?.kind === 'result') {
      for (const claim of ['get', 'result', 'cancel', 'list'] as const)
        yield judge(claim, 'n/a', 'a server that asks for credentials', nobody.opening)
      return
    }
    const owner = await open(peer, USERS[0])
    const other = await open(await peer.another('no-handshake'), USERS[1])
    if (owner.opening?.kind !== 'result' || other.opening?.kind !== 'result') {
      yield unmet('the server asks for credentials, and those of two users are not known to us')
      return
    }
    const declared = owner.capabilities.tasks
    if (at(declared, 'requests', 'tools', 'call') === undefined) {
      for (const claim of ['get', 'result', 'cancel', 'list'] as const)
        yield judge(claim, 'n/a', 'the capability tasks.requests.tools.call', owner.opening)
      return
    }
    const tool = await taskTool(owner, 'test_task_slow')
    const taskId = tool === undefined ? undefined : createdId(await callAsTask(owner, tool))
    const control = taskId === undefined ? undefined : await owner.request('tasks/get', { taskId })
    if (taskId === undefined || control === undefined || statusIn(control) === undefined) {
      yield unmet(tool === undefined ? NO_TASK_TOOL : 'no task came about that its own user can see')
      return
    }
    const got = await other.request('tasks/get', { taskId })
    yield judge('get', isRefused(got), 'an error for the task of another user', got, 'leaked')
    if (at(declared, 'list') !== undefined) {
      const listed = await other.request('tasks/list')
      const shown = listed.kind === 'result' && JSON.stringify(listed.result).includes(taskId)
      yield judge('list', !shown, 'a list without the task of another user', listed, 'leaked')
    } else yield judge('list', 'n/a', 'the capability tasks.list', control)
    if (at(declared, 'cancel') !== undefined) {
      const cancelled = await other.request('tasks/cancel', { taskId })
      const after = await owner.request('tasks/get', { taskId })
      const lives = statusIn(after) !== 'cancelled'
      yield judge(
        'cancel',
        isRefused(cancelled) && lives,
        'an error, and a task that goes on',
        lives ? cancelled : after,
        'accepted',
      )
    } else yield judge('cancel', 'n/a', 'the capability tasks.cancel', control)
    const fetched = await other.request('tasks/result', { taskId })
    const silent = fetched.kind === 'none' && fetched.why === 'timeout'
    yield judge(
      'result',
      isRefused(fetched) ? 'holds' : silent ? 'bends' : 'breaks',
      'an error for the task of another user',
      fetched,
      'leaked',
    )
  },
  defects: [
    {
      named: 'describes the task of anybody',
      breaks: 'get',
      kind: 'leaked',
      replace: { ...guarded(), ...withTasks({ sees: sharing('get') }) },
    },
    {
      named: 'gives the result to anybody',
      breaks: 'result',
      kind: 'leaked',
      replace: { ...guarded(), ...withTasks({ sees: sharing('result') }) },
    },
    {
      named: 'lets anybody cancel',
      breaks: 'cancel',
      kind: 'accepted',
      replace: { ...guarded(), ...withTasks({ sees: sharing('cancel') }) },
    },
    {
      named: 'lists the tasks of everybody',
      breaks: 'list',
      kind: 'leaked',
      replace: { ...guarded(), ...withTasks({ sees: sharing('list') }) },
    },
  ],
  variants: [
    { named: 'two users', shows: ['get', 'result', 'cancel', 'list'], replace: guarded() },
    { named: 'other users', replace: { identify: () => ({ status: 401, reason: 'unknown' }) } },
  ],
})

/** Opens a session under these credentials, which go with all that follows; null is none. */
async function open(peer: ServerPeer, authorization: string | null): Promise<ServerPeer> {
  const headers = { Authorization: authorization }
  const params = { ...peer.hello.params, capabilities: TASK_HELLO.capabilities ?? {} }
  const reply = await peer.request('initialize', params, { headers })
  peer.adopt(reply)
  if (reply.kind === 'result') await peer.notify('notifications/initialized', undefined, { headers })
  return { ...peer, request: (method, more, options) => peer.request(method, more, { ...options, headers }) }
}

function guarded() {
  return {
    identify: (authorization: string | undefined) =>
      USERS.some(user => user === authorization)
        ? { user: authorization as string }
        : { status: 401, reason: 'the credentials are not known' },
  }
}

function sharing(shared: string) {
  return (owner: string, requestor: string, operation: string): boolean => owner === requestor || operation === shared
}

const isRefused = (reply: Reply): boolean =>
  reply.kind === 'error' || (reply.kind === 'http-error' && reply.http.status >= 400)
