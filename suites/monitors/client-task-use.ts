import {
  at,
  type ClientReplacement,
  followResults,
  isObject,
  type JsonObject,
  judge,
  monitor,
  ourMessages,
  shapeOf,
  tampers,
  textAt,
  theirMessages,
} from '../../src/suite/monitor.ts'
import { calling } from '../client/tasks/_called-tasks.ts'
import { capabilitiesIn, isWish, wishFault } from './_task-log.ts'

/** What a client answers by a task. */
const ANSWERED = ['sampling/createMessage', 'elicitation/create']
/** What it may ask for as one. */
const CALL = 'tools/call'

interface State {
  follow: ReturnType<typeof followResults>
  ours: JsonObject | undefined
  theirs: JsonObject | undefined
}

/** What a client makes of the capabilities for tasks, its own and those of the server (basic/utilities/tasks#capabilities). */
export default monitor({
  title: 'A client asks for tasks only where the server declares them, and gives some only where it does so itself',
  sides: ['client'],
  needs: { since: '2025-11-25' },
  claims: {
    declared: 'tasks.capability.declared',
    none: 'tasks.capability.none-without-tasks',
    listed: 'tasks.capability.requestor-only-declared',
    tool: 'tasks.tool.client-not-without-capability',
    param: 'tasks.create.task-param-object',
  },
  start: (): State => ({ follow: followResults(...ANSWERED), ours: undefined, theirs: undefined }),
  *see(state, frame) {
    for (const message of ourMessages(frame)) state.ours = capabilitiesIn(message) ?? state.ours
    for (const message of theirMessages(frame)) state.theirs = capabilitiesIn(message) ?? state.theirs
    for (const { method, result } of state.follow(frame)) {
      if (!isObject(at(result, 'task'))) continue
      const isDeclared = at(state.theirs, 'tasks', 'requests', ...method.split('/')) !== undefined
      yield judge('declared', isDeclared, `a task for ${method} only where the client declares that`, frame, {
        kind: 'unasked',
        subject: method,
      })
    }
    for (const message of theirMessages(frame)) {
      const method = textAt(message, 'method') ?? ''
      const task = at(message, 'params', 'task')
      if (shapeOf(message) !== 'request' || (method !== CALL && task === undefined)) continue
      if (task !== undefined)
        yield judge('param', isWish(task), 'task as an object, ttl in milliseconds', frame, {
          kind: wishFault(task),
          subject: method,
        })
      const tasks = state.ours?.tasks
      const isDeclared = at(tasks, 'requests', ...method.split('/')) !== undefined
      const expected = `no task: the server declares none for ${method}`
      const fault = { kind: 'unasked', subject: method } as const
      if (method === CALL && !isDeclared) yield judge('tool', task === undefined, expected, frame, fault)
      if (tasks === undefined) yield judge('none', task === undefined, expected, frame, fault)
      else yield judge('listed', task === undefined || isDeclared, expected, frame, fault)
    }
  },
  defects: [
    {
      named: 'answers by tasks that nobody knows of',
      on: 'client/tasks/undeclared',
      breaks: 'declared',
      kind: 'unasked',
      replace: (client => ({
        capabilities: (settings, version) => client.capabilities({ ...settings, tasks: false }, version),
        tasks: { ...client.tasks, takes: () => true },
      })) satisfies ClientReplacement,
    },
    {
      named: 'believes the tools',
      on: 'client/tasks/not-offered',
      breaks: 'tool',
      kind: 'unasked',
      also: ['none', 'listed'],
      replace: calling({ declared: () => true }),
    },
    {
      named: 'asks for a task where there are none at all',
      on: 'client/tasks/not-offered',
      breaks: 'none',
      kind: 'unasked',
      also: ['tool'],
      replace: calling({ declared: (_method, { tasks }) => tasks === undefined }),
    },
    {
      named: 'asks for a task where there are some',
      on: 'client/tasks/not-offered',
      breaks: 'listed',
      kind: 'unasked',
      also: ['tool'],
      replace: calling({ declared: (_method, { tasks }) => tasks !== undefined }),
    },
    {
      named: 'lists the tools as a task',
      on: 'client/tasks/follows',
      breaks: 'listed',
      kind: 'unasked',
      replace: (client => ({
        params: (method, params) => (method === 'tools/list' ? { ...params, task: {} } : client.params(method, params)),
      })) satisfies ClientReplacement,
    },
    ...(
      [
        ['wrong-type', true],
        ['wrong-type', { ttl: '60000' }],
        ['wrong-value', { ttl: -1 }],
      ] as const
    ).map(([kind, task]) => ({
      named: `task: ${JSON.stringify(task)}`,
      on: 'client/tasks/tool-support',
      breaks: 'param' as const,
      kind,
      tamper: tampers.message(message =>
        at(message, 'params', 'task') === undefined
          ? message
          : { ...message, params: { ...(message.params as JsonObject), task } },
      ),
    })),
  ],
  variants: [
    { named: 'tasks where they are declared', on: 'client/tasks/follows', shows: ['listed', 'param'], replace: {} },
    { named: 'gives tasks that it declares', on: 'client/tasks/creation', shows: ['declared'], replace: {} },
    {
      named: 'plain calls where there are no tasks, or none for this',
      on: 'client/tasks/not-offered',
      shows: ['none', 'listed', 'tool'],
      replace: {},
    },
  ],
})
