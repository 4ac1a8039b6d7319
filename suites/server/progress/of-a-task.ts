import {
  at,
  idKey,
  isObject,
  isTerminal,
  type Json,
  type JsonObject,
  judge,
  listAll,
  notification,
  RELATED_TASK,
  type ServerPeer,
  serverScenario,
  tampers,
  textAt,
  unmet,
} from '../../../src/suite/server.ts'

const TOKEN = 'x-conformance-task-progress'
/** The fixtures that are made for it come first; any other tool must do without arguments. */
const PREFERRED = ['test_task_slow']
/** A task that is not done by then is cancelled, and its progress judged as far as it came. */
const MOST_POLLS = 100
/** Work in hand may still say something right after the task was declared over. */
const GRACE_MS = 1_000

export default serverScenario({
  title: 'Progress of a task keeps the token of the request that made it, and ends with the task',
  needs: { capability: 'tasks.requests.tools.call', since: '2025-11-25' },
  claims: {
    stays: 'progress.task.token-stays-valid',
    same: 'progress.task.same-token',
    ends: 'progress.task.stop-at-terminal',
  },
  async *run(peer) {
    const tool = await taskTool(peer)
    if (tool === undefined) {
      yield unmet('no tool without required arguments that may be called as a task')
      return
    }
    const stream = peer.via === 'http' ? await peer.listen() : undefined
    const { mark } = peer
    const call = { name: tool, arguments: {}, task: { ttl: 60_000 } }
    const accepted = await peer.request('tools/call', call, { meta: { progressToken: TOKEN } })
    const taskId = accepted.kind === 'result' ? textAt(accepted.result, 'task', 'taskId') : undefined
    if (taskId === undefined) {
      yield unmet(`the call of ${tool} was not accepted as a task`)
      return
    }
    const begun = peer.mark
    const ended = await outlast(peer, taskId)
    await peer.settle()
    await peer.watch()
    stream?.close()
    const all = peer.heard(mark).filter(({ json }) => at(json, 'method') === 'notifications/progress')
    const ours = all.filter(({ json }) => belongs(json, taskId))
    const later = ours.filter(({ seq }) => seq > begun)
    if (later.length === 0) {
      yield unmet(`the task of ${tool} reported no progress after it was accepted`)
      return
    }
    const kept = later.filter(({ json }) => at(json, 'params', 'progressToken') === TOKEN)
    yield judge('stays', kept.length > 0, 'progress with the token of the request after CreateTaskResult', later)
    yield judge('same', kept.length === later.length, `no other token than ${TOKEN}`, later)
    if (ended === undefined) {
      yield unmet('the task did not end in time', 'ends')
      return
    }
    // Only what follows on the same channel was certainly sent later.
    const behind = ours.filter(({ seq, exchange }) => seq > ended.seq && exchange === ended.exchange)
    const much = behind.some(({ at: when }) => when > ended.at + GRACE_MS)
    const outcome = behind.length === 0 ? 'holds' : much ? 'breaks' : 'bends'
    yield judge('ends', outcome, 'no progress after a terminal status was reported', behind, 'unasked')
  },
  defects: [
    {
      named: 'forgets the token when the task is accepted',
      breaks: 'stays',
      kind: 'wrong-value',
      also: ['same'],
      tamper: retoken(() => 'a token of the server'),
    },
    {
      named: 'goes over to the id of the task half-way',
      breaks: 'same',
      kind: 'wrong-value',
      tamper: retoken(params => (Number(params.progress) > 6 ? relatedTask(params) : TOKEN)),
    },
    {
      named: 'reports on after the end of the task',
      breaks: 'ends',
      kind: 'unasked',
      verdict: 'warn',
      tamper: tampers.message(message =>
        message.method === 'notifications/tasks/status' && isTerminal(textAt(message, 'params', 'status'))
          ? [message, notification('notifications/progress', { progressToken: TOKEN, progress: 100, total: 100 })]
          : message,
      ),
    },
  ],
  variants: [
    {
      named: 'says nothing about the task in its progress',
      shows: ['stays', 'same', 'ends'],
      tamper: tampers.message(message => {
        const { params } = message
        if (message.method !== 'notifications/progress' || !isObject(params)) return message
        const { _meta, ...rest } = params
        return { ...message, params: rest }
      }),
    },
    {
      named: 'announces no status',
      tamper: tampers.message(message => (message.method === 'notifications/tasks/status' ? undefined : message)),
    },
  ],
})

/** A tool that may run as a task, may be called, and needs no arguments. */
async function taskTool(peer: ServerPeer): Promise<string | undefined> {
  const { entries } = await listAll(peer, 'tools/list', 'tools')
  const fit = entries.filter(entry => {
    const support = at(entry, 'execution', 'taskSupport')
    const required = at(entry, 'inputSchema', 'required')
    const free = required === undefined || (Array.isArray(required) && required.length === 0)
    return (support === 'optional' || support === 'required') && free && peer.mayCall(entry)
  })
  const names = fit.map(({ name }) => String(name))
  return PREFERRED.find(name => names.includes(name)) ?? names[0]
}

/** Waits for a terminal status; the message that told it first. */
async function outlast(peer: ServerPeer, taskId: string) {
  const told = () =>
    peer.heard().find(({ json }) => {
      const task = at(json, 'method') === 'notifications/tasks/status' ? at(json, 'params') : at(json, 'result')
      return at(task, 'taskId') === taskId && isTerminal(textAt(task, 'status'))
    })
  for (let poll = 0; poll < MOST_POLLS && told() === undefined; poll += 1) {
    const reply = await peer.request('tasks/get', { taskId })
    if (reply.kind !== 'result') break
    const interval = at(reply.result, 'pollInterval')
    if (told() === undefined)
      await peer.pause(typeof interval === 'number' ? Math.min(interval, peer.timeouts.watchMs) : peer.timeouts.graceMs)
  }
  return told()
}

const relatedTask = (params: JsonObject): Json => at(params, '_meta', RELATED_TASK, 'taskId') ?? null

/** Progress that names our token, or says that it is about our task. */
function belongs(json: Json | undefined, taskId: string): boolean {
  const params = at(json, 'params')
  const token = at(params, 'progressToken')
  return token === TOKEN || idKey(token) === idKey(taskId) || at(params, '_meta', RELATED_TASK, 'taskId') === taskId
}

function retoken(rename: (params: JsonObject) => Json) {
  return tampers.message(message =>
    message.method === 'notifications/progress' && isObject(message.params)
      ? { ...message, params: { ...message.params, progressToken: rename(message.params) } }
      : message,
  )
}
