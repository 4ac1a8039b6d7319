import {
  askedIn,
  at,
  declaredIn,
  followResults,
  isObject,
  type Json,
  type JsonObject,
  judge,
  monitor,
  supportOf,
  tampers,
  theirMessages,
  withClientTasks,
} from '../../src/suite/monitor.ts'
import { isWish, wishFault } from './_task-log.ts'

/** What a server may give to its client as a task. */
const REQUESTS = ['sampling/createMessage', 'elicitation/create']

interface State {
  follow: ReturnType<typeof followResults>
  ours: JsonObject | undefined
  theirs: JsonObject | undefined
}

/**
 * What each side says about tasks at the handshake, and what the server makes of it (basic/utilities/tasks#capabilities). The
 * shape of the capability is a matter of monitors/schema.
 */
export default monitor({
  title: 'The capability for tasks is there where tasks are, and is respected at the other side',
  needs: { since: '2025-11-25' },
  claims: {
    declared: 'tasks.capability.declared',
    none: 'tasks.capability.none-without-tasks',
    listed: 'tasks.capability.requestor-only-declared',
    param: 'tasks.create.task-param-object',
  },
  start: (): State => ({ follow: followResults('tools/list'), ours: undefined, theirs: undefined }),
  *see(state, frame) {
    state.ours ??= declaredIn(frame)
    for (const message of theirMessages(frame)) {
      const capabilities = at(message, 'result', 'capabilities')
      if (isObject(capabilities) && at(message, 'result', 'protocolVersion') !== undefined) state.theirs = capabilities
    }
    for (const { result } of state.follow(frame)) {
      const tools = at(result, 'tools')
      const able = (Array.isArray(tools) ? tools : []).filter(tool => supportOf(tool) !== 'forbidden')
      const isDeclared = at(state.theirs, 'tasks', 'requests', 'tools', 'call') !== undefined
      // A tool that offers what the capability does not is a plain tool: nothing breaks.
      if (able.length > 0)
        yield judge('declared', isDeclared ? 'holds' : 'bends', 'tasks.requests.tools.call, as tools offer it', frame, {
          kind: 'missing',
          subject: 'tasks.requests.tools.call',
        })
      else if (!isDeclared) yield judge('declared', 'n/a', 'a tool that offers tasks', frame)
    }
    for (const method of REQUESTS) {
      for (const { task } of askedIn(frame, method)) {
        if (task !== undefined)
          yield judge('param', isWish(task), 'task as an object, ttl in milliseconds', frame, {
            kind: wishFault(task),
            subject: method,
          })
        const tasks = state.ours?.tasks
        const fault = { kind: 'unasked', subject: method } as const
        if (tasks === undefined) yield judge('none', task === undefined, 'no task: we declared none', frame, fault)
        else if (at(tasks, 'requests', ...method.split('/')) === undefined)
          yield judge('listed', task === undefined, `no task: we did not declare any for ${method}`, frame, fault)
        else yield judge('listed', true, `a task, as we declared it for ${method}`, frame)
      }
    }
  },
  defects: [
    {
      named: 'tools that offer tasks, and no capability',
      on: 'server/tasks/undeclared',
      breaks: 'declared',
      kind: 'missing',
      verdict: 'warn',
      tamper: tampers.result('initialize', ({ capabilities, ...rest }) => ({
        ...rest,
        capabilities: { ...(capabilities as JsonObject), tasks: {} },
      })),
    },
    {
      named: 'asks for tasks of a client that has none',
      on: 'server/tasks/plain-clients',
      breaks: 'none',
      kind: 'unasked',
      also: ['listed'],
      replace: withClientTasks({ declared: () => true }),
    },
    {
      named: 'asks for any task where some are declared',
      on: 'server/tasks/plain-clients',
      breaks: 'listed',
      kind: 'unasked',
      replace: withClientTasks({ declared: (_method, capabilities) => capabilities.tasks !== undefined }),
    },
    ...[
      ['task: true', true],
      ['the ttl as text', { ttl: '60000' }],
    ].map(([named, task]) => ({
      named: String(named),
      on: 'server/tasks/gives-tasks',
      breaks: 'param' as const,
      kind: 'wrong-type' as const,
      tamper: tampers.message(message =>
        at(message, 'params', 'task') === undefined
          ? message
          : { ...message, params: { ...(message.params as JsonObject), task: task as Json } },
      ),
    })),
  ],
  variants: [
    {
      named: 'asks as the client declared it',
      on: 'server/tasks/gives-tasks',
      shows: ['listed', 'param', 'declared'],
      replace: {},
    },
    {
      named: 'asks plainly where there are no tasks, or none for this',
      on: 'server/tasks/plain-clients',
      shows: ['none', 'listed'],
      replace: {},
    },
  ],
})
