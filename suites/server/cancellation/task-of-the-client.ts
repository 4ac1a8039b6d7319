import {
  at,
  idKey,
  isObject,
  type Json,
  type JsonObject,
  judge,
  type MessageFrame,
  notification,
  offers,
  request,
  type ServerPeer,
  serverScenario,
  tampers,
  unmet,
} from '../../../src/suite/server.ts'

const FIXTURES: JsonObject[] = [
  { name: 'test_sampling_as_task', arguments: {} },
  { name: 'test_sampling', arguments: { prompt: 'hello' } },
  { name: 'test_elicitation', arguments: { message: 'hello' } },
]

const TASK = {
  taskId: 'x-conformance-task',
  status: 'working',
  createdAt: '2026-01-01T00:00:00Z',
  lastUpdatedAt: '2026-01-01T00:00:00Z',
  ttl: 60_000,
  pollInterval: 20,
}

export default serverScenario({
  title: 'A server that no longer needs a task of the client cancels it with tasks/cancel',
  needs: { capability: 'tools', since: '2025-11-25' },
  session: 'fresh',
  hello: {
    capabilities: {
      sampling: {},
      elicitation: {},
      tasks: { cancel: {}, requests: { sampling: { createMessage: {} }, elicitation: { create: {} } } },
    },
  },
  claims: { uses: 'cancellation.send.tasks-use-tasks-cancel' },
  async *run(peer) {
    const fixture = await findFixture(peer)
    if (fixture === undefined) {
      yield unmet('fixture test_sampling_as_task, test_sampling or test_elicitation not offered')
      return
    }
    const stream = peer.via === 'http' ? await peer.listen() : undefined
    const accepted = accepting(peer)
    const call = peer.request('tools/call', fixture)
    const id = await Promise.race([accepted, peer.watch().then(() => undefined)])
    if (id === undefined) {
      yield unmet('the server asked for nothing as a task')
      return
    }
    await peer.settle()
    // What the task is for is not needed any more.
    await call.cancel('a test')
    await peer.watch()
    stream?.close()
    const byId = peer.heard().filter(frame => isCancellationOf(id, frame))
    const properly = peer.heard().filter(({ json }) => at(json, 'method') === 'tasks/cancel')
    if (byId.length + properly.length === 0) yield unmet('the server cancelled no task')
    else yield judge('uses', byId.length === 0, 'tasks/cancel for the task', [...byId, ...properly])
  },
  defects: [
    {
      named: 'cancels the request that the client has taken as a task',
      breaks: 'uses',
      kind: 'wrong-value',
      tamper: instead(notification('notifications/cancelled', { requestId: 'server-1' })),
    },
  ],
  variants: [
    {
      named: 'cancels the task',
      shows: ['uses'],
      tamper: instead(request('stop', 'tasks/cancel', { taskId: TASK.taskId })),
    },
  ],
})

async function findFixture(peer: ServerPeer): Promise<JsonObject | undefined> {
  for (const fixture of FIXTURES) if (await offers(peer, 'tools', String(fixture.name))) return fixture
  return undefined
}

/** Takes what is asked as a task that never ends; resolves with the id of the request. */
function accepting(peer: ServerPeer): Promise<Json> {
  peer.on('tasks/get', () => ({ result: TASK }))
  peer.on('tasks/cancel', () => ({ result: { ...TASK, status: 'cancelled' } }))
  return new Promise(resolve => {
    for (const method of ['sampling/createMessage', 'elicitation/create'])
      peer.on(method, message => {
        if (!isObject(at(message, 'params', 'task'))) return { error: { code: -1, message: 'User rejected' } }
        resolve(message.id ?? null)
        return { result: { task: TASK } }
      })
  })
}

const isCancellationOf = (id: Json, { json }: MessageFrame): boolean =>
  at(json, 'method') === 'notifications/cancelled' && idKey(at(json, 'params', 'requestId')) === idKey(id)

/** The server would poll its task; it loses its patience. */
function instead(message: JsonObject) {
  return tampers.message(said => (said.method === 'tasks/get' ? message : said))
}
