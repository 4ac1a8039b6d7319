import {
  clientScenario,
  type JsonObject,
  judge,
  script,
  sent,
  shookHands,
  textAt,
  undone,
  unmet,
} from '../../../src/suite/client.ts'
import { calling, callOf, plainResult, toolNamed } from './_called-tasks.ts'

const TOOLS = [toolNamed('perhaps_as_task', 'optional'), toolNamed('only_as_task', 'required')]
const STEPS = [{ request: 'tools/list' }, ...TOOLS.map(({ name }) => callOf(name, { timeoutMs: 3_000 }))]

/** What the server declares in the first session, and in the second one. */
const CAPABILITIES: JsonObject[] = [{ tools: {} }, { tools: {}, tasks: { list: {}, cancel: {} } }]

/** Tools that offer tasks, at a server that has none: first it does not declare any, then none for calls. */
const WITHOUT = script({
  drive: { name: 'no-tasks-at-the-server', client: { tasks: true }, steps: [...STEPS, { reconnect: true }, ...STEPS] },
  setup: () => ({
    tools: TOOLS,
    calls: Object.fromEntries(TOOLS.map(({ name }) => [name, () => ({ result: plainResult() })])),
  }),
  play(server) {
    server.on('initialize', ({ conversation }) => ({
      result: {
        protocolVersion: conversation.version,
        capabilities: CAPABILITIES[server.conversations.indexOf(conversation)] ?? CAPABILITIES[1] ?? {},
        serverInfo: { name: 'mcp-conformance', version: '0.1.0' },
      },
    }))
  },
})

export default clientScenario({
  title: 'The client requests no task from a server that does not declare tasks for tools/call, whatever the tools say',
  needs: { since: '2025-11-25' },
  script: WITHOUT,
  claims: {
    tool: 'tasks.tool.client-not-without-capability',
    none: 'tasks.capability.none-without-tasks',
    listed: 'tasks.capability.requestor-only-declared',
  },
  *run(seen) {
    const [first, second] = seen.conversations
    if (first === undefined || !shookHands(seen)) {
      yield unmet(undone(seen, 'open a session'))
      return
    }
    const outcomes = [...seen.steps.values()].map(({ outcome }) => outcome)
    const calls = sent(seen, 'tools/call')
    if (outcomes.includes('unsupported') || (calls.length === 0 && !outcomes.includes('error'))) {
      yield unmet(undone(seen, 'call a tool with the wish for a task'))
      return
    }
    if (calls.length === 0) {
      const got = { text: 'it refused to call the tools', frames: [seen.end.frame] }
      for (const claim of ['tool', 'none', 'listed'] as const) yield judge(claim, true, 'no task', got)
    }
    for (const { params, frame } of calls) {
      const plain = params.task === undefined
      const fault = { kind: 'unasked', subject: textAt(params, 'name') ?? 'a tool without name' } as const
      yield judge('tool', plain, 'a plain call, as tasks.requests.tools.call is not declared', frame, fault)
      if (frame.session === first.session)
        yield judge('none', plain, 'no task: the server declares no tasks', frame, fault)
      else yield judge('listed', plain, 'no task: the server declares none for tools/call', frame, fault)
    }
    if (second === undefined && calls.length > 0) yield unmet(undone(seen, 'open a second session'), 'listed')
  },
  defects: [
    {
      named: 'believes the tools',
      breaks: 'tool',
      kind: 'unasked',
      also: ['none', 'listed'],
      replace: calling({ declared: () => true }),
    },
    {
      named: 'asks for a task where there are none at all',
      breaks: 'none',
      kind: 'unasked',
      also: ['tool'],
      replace: calling({ declared: (_method, { tasks }) => tasks === undefined }),
    },
    {
      named: 'asks for a task where there are some',
      breaks: 'listed',
      kind: 'unasked',
      also: ['tool'],
      replace: calling({ declared: (_method, { tasks }) => tasks !== undefined }),
    },
  ],
})
