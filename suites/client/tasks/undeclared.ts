import {
  at,
  clientScenario,
  codes,
  failure,
  isObject,
  type JsonObject,
  judge,
  type Reply,
  script,
  success,
  tampers,
  undone,
  unmet,
} from '../../../src/suite/client.ts'
import { helloOf, paramsOf } from './_received-tasks.ts'

/** What a server may ask by which capability, with the member that shows the ordinary result. */
const REQUESTS = [
  { method: 'roots/list', capability: 'roots', member: 'roots' },
  { method: 'sampling/createMessage', capability: 'sampling', member: 'content' },
  { method: 'elicitation/create', capability: 'elicitation', member: 'action' },
]

interface Asked {
  method: string
  member: string
  control: Reply
  reply?: Reply
}

/** A scenario in which clients offer elicitation, whatever else they do. */
const ASKING = script({
  drive: { name: 'elicitation-sep1034-client-defaults' },
  setup: () => ({
    tools: [{ name: 'test_client_elicitation_defaults', inputSchema: { type: 'object' } }],
  }),
  notes: (): { capabilities?: JsonObject; asked: Asked[] } => ({ asked: [] }),
  play(server, notes) {
    server.on('tools/call', async call => {
      const { capabilities } = call.conversation
      if (notes.capabilities === undefined) {
        notes.capabilities = capabilities
        for (const { method, capability, member } of REQUESTS) {
          const declared = at(capabilities, 'tasks', 'requests', ...method.split('/'))
          if (!isObject(capabilities[capability]) || declared !== undefined) continue
          const params = paramsOf(method)
          const control = await call.ask(method, params)
          const wish = { ...params, task: { ttl: 1_000 } }
          const isUsual = control.kind === 'result' && at(control.result, member) !== undefined
          const reply = isUsual ? { reply: await call.ask(method, wish, { intended: 'fault' }) } : {}
          notes.asked.push({ method, member, control, ...reply })
        }
      }
      return { result: { content: [{ type: 'text', text: 'done' }] } }
    })
  },
})

const CLAIMS = {
  ignores: 'tasks.receiver.ignores-task-when-undeclared',
  exhaustive: 'tasks.capability.requests-exhaustive',
  declared: 'tasks.capability.declared',
} as const

export default clientScenario({
  title: 'The client ignores the member task where it has not declared it, and answers as usual',
  needs: { since: '2025-11-25' },
  script: ASKING,
  claims: CLAIMS,
  *run(seen) {
    const { capabilities, asked } = seen.notes
    if (capabilities === undefined) {
      yield unmet(undone(seen, 'call the tool'))
      return
    }
    const probes = asked.flatMap(one => (one.reply === undefined ? [] : [{ ...one, reply: one.reply }]))
    if (asked.length > 0 && probes.length === 0) {
      yield unmet('nothing was answered as usual in the first place')
      return
    }
    for (const { method, member, reply } of probes) {
      const isUsual = reply.kind === 'result' && at(reply.result, member) !== undefined
      const isTask = reply.kind === 'result' && isObject(at(reply.result, 'task')) && !isUsual
      const accepted = { kind: 'accepted', subject: method } as const
      yield judge('ignores', isUsual, `the ordinary result of ${method}, with ${member}`, reply, {
        kind: reply.kind === 'error' ? 'refused' : 'wrong-type',
        subject: method,
      })
      yield judge('exhaustive', !isTask, `no task for ${method}, which the capability does not name`, reply, accepted)
      if (capabilities.tasks === undefined)
        yield judge('declared', !isTask, 'no task from a client without the capability', reply, accepted)
    }
    const frame = helloOf(seen)
    if (asked.length === 0)
      for (const claim of ['ignores', 'exhaustive'] as const)
        yield judge(claim, 'n/a', 'something that a server may ask and that is no task', frame)
    if (asked.length === 0 || capabilities.tasks !== undefined)
      yield judge('declared', 'n/a', 'only judged where the capability is missing', frame)
  },
  defects: [
    {
      named: 'refuses the member that it does not know',
      breaks: 'ignores',
      kind: 'refused',
      tamper: tampers.answer('roots/list', (message, cause) =>
        at(cause, 'params', 'task') === undefined
          ? message
          : failure(message.id, codes.invalidParams, 'Unrecognized key: task'),
      ),
    },
    {
      named: 'makes a task of listing its roots',
      breaks: 'exhaustive',
      kind: 'accepted',
      also: ['ignores'],
      tamper: tampers.answer('roots/list', (message, cause) =>
        at(cause, 'params', 'task') === undefined ? message : success(created())(message),
      ),
    },
    {
      named: 'makes a task of a form without having declared any',
      breaks: 'declared',
      kind: 'accepted',
      also: ['ignores', 'exhaustive'],
      replace: client => ({
        ...taskless(client),
        tasks: { ...client.tasks, takes: (_method, { task }) => isObject(task) },
      }),
    },
  ],
  variants: [
    { named: 'no tasks at all', shows: ['ignores', 'exhaustive', 'declared'], replace: taskless },
    {
      named: 'tasks that can only be listed',
      shows: ['ignores', 'exhaustive'],
      replace: client => ({
        capabilities: (settings, version) => ({
          ...client.capabilities({ ...settings, tasks: false }, version),
          tasks: { list: {} },
        }),
      }),
    },
    { named: 'offers nothing', replace: { capabilities: () => ({}) } },
  ],
})

interface Declares {
  capabilities(settings: { tasks: boolean }, version: string): JsonObject
}

/** The reference without the capability for tasks. */
function taskless<T extends Declares>(client: T): Pick<T, 'capabilities'> {
  return {
    capabilities: (settings: { tasks: boolean }, version: string) =>
      client.capabilities({ ...settings, tasks: false }, version),
  } as Pick<T, 'capabilities'>
}

function created(): JsonObject {
  const now = '2025-11-25T10:30:00Z'
  return { task: { taskId: 'made-up-0001', status: 'working', createdAt: now, lastUpdatedAt: now, ttl: null } }
}
