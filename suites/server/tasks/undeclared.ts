import {
  at,
  codes,
  declaring,
  isObject,
  type JsonObject,
  judge,
  listAll,
  memberFault,
  type Reply,
  refusal,
  type ServerPeer,
  serverScenario,
  success,
  tampers,
  textAt,
  toolsToCall,
  unmet,
} from '../../../src/suite/server.ts'

/** A request that can be made twice, with the member that shows its ordinary result. */
interface Plain {
  method: string
  params: JsonObject
  member: string
}

const TASK = { task: { ttl: 1_000 } }

export default serverScenario({
  title: 'Where augmentation is not declared, the member task is ignored and the request is answered as usual',
  needs: { since: '2025-11-25' },
  claims: {
    ignores: 'tasks.receiver.ignores-task-when-undeclared',
    exhaustive: 'tasks.capability.requests-exhaustive',
    declared: 'tasks.capability.declared',
  },
  async *run(peer) {
    let judged = false
    for await (const { method, params, member } of undeclared(peer)) {
      const isUsual = (reply: Reply): boolean => reply.kind === 'result' && at(reply.result, member) !== undefined
      const control = await peer.request(method, params)
      if (!isUsual(control)) continue
      const reply = await peer.request(method, { ...params, ...TASK }, { intended: 'fault' })
      const isTask = reply.kind === 'result' && isObject(at(reply.result, 'task')) && !isUsual(reply)
      const expected = `the ordinary result of ${method}, with ${member}`
      yield judge('ignores', isUsual(reply), expected, reply, { kind: memberFault(reply, member), subject: method })
      yield judge('exhaustive', !isTask, `no task for ${method}, which the capability does not name`, reply, {
        kind: 'accepted',
        subject: method,
      })
      if (peer.capabilities.tasks === undefined)
        yield judge('declared', !isTask, 'no task from a server without the capability', reply, {
          kind: 'missing',
          subject: method,
        })
      judged = true
    }
    if (!judged) yield unmet('nothing could be asked that a server answers without tasks')
    else if (peer.capabilities.tasks !== undefined && peer.opening !== undefined)
      yield judge('declared', 'n/a', 'only judged where the capability is missing', peer.opening)
  },
  defects: [
    {
      named: 'refuses the member that it does not know',
      breaks: 'ignores',
      kind: 'refused',
      tamper: tampers.answer('prompts/get', (message, cause) =>
        at(cause, 'params', 'task') === undefined
          ? message
          : refusal(codes.invalidParams, 'Unrecognized key: task')(message),
      ),
    },
    {
      named: 'makes a task of reading a resource',
      breaks: 'exhaustive',
      kind: 'accepted',
      also: ['ignores'],
      tamper: tampers.answer('resources/read', taskInstead),
    },
    {
      named: 'makes a task of a call without having declared any',
      breaks: 'declared',
      kind: 'missing',
      also: ['ignores', 'exhaustive'],
      replace: {
        ...declaring(undefined),
        extraMethods: { 'tools/call': params => (params.task === undefined ? { content: [] } : created()) },
      },
    },
  ],
  variants: [
    { named: 'no tasks at all', shows: ['ignores', 'exhaustive', 'declared'], replace: declaring(undefined) },
    { named: 'tasks that can only be listed', shows: ['ignores', 'exhaustive'], replace: declaring({ list: {} }) },
  ],
})

/** One request of each type that the capability does not name, as far as the server offers something to ask for. */
async function* undeclared(peer: ServerPeer): AsyncGenerator<Plain> {
  if (at(peer.capabilities, 'tasks', 'requests', 'tools', 'call') === undefined) {
    const tool = (await toolsToCall(peer))[0]
    if (tool !== undefined)
      yield { method: 'tools/call', params: { name: tool.name, arguments: tool.arguments }, member: 'content' }
  }
  const uri = await first(peer, 'resources', entry => textAt(entry, 'uri'))
  if (uri !== undefined) yield { method: 'resources/read', params: { uri }, member: 'contents' }
  const prompt = await first(peer, 'prompts', entry => (takesNothing(entry) ? textAt(entry, 'name') : undefined))
  if (prompt !== undefined) yield { method: 'prompts/get', params: { name: prompt }, member: 'messages' }
}

async function first(
  peer: ServerPeer,
  kind: 'resources' | 'prompts',
  pick: (entry: JsonObject) => string | undefined,
): Promise<string | undefined> {
  if (!isObject(peer.capabilities[kind])) return undefined
  const { entries } = await listAll(peer, `${kind}/list`, kind)
  for (const entry of entries) {
    const picked = pick(entry)
    if (picked !== undefined) return picked
  }
  return undefined
}

function takesNothing(prompt: JsonObject): boolean {
  const args = prompt.arguments
  return !Array.isArray(args) || args.every(one => at(one, 'required') !== true)
}

function created(): JsonObject {
  const now = '2025-11-25T10:30:00Z'
  return { task: { taskId: 'made-up-0001', status: 'working', createdAt: now, lastUpdatedAt: now, ttl: null } }
}

function taskInstead(message: JsonObject, cause: JsonObject): JsonObject {
  return at(cause, 'params', 'task') === undefined ? message : success(created())(message)
}
