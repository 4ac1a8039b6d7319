import {
  abandon,
  at,
  attended,
  callAsTask,
  createdId,
  isObject,
  isTerminal,
  type Json,
  type JsonObject,
  judge,
  memberFault,
  NO_TASK_TOOL,
  type Outcome,
  refusal,
  serverScenario,
  statusIn,
  TASK_HELLO,
  type Tamper,
  TTL_MS,
  tampers,
  taskTool,
  unmet,
  withTasks,
} from '../../../src/suite/server.ts'

const FIXTURE = 'test_task_slow'
const MEMBERS = ['taskId', 'status', 'createdAt', 'lastUpdatedAt', 'ttl']
/** The members of a result of tools/call. */
const OPERATION = ['content', 'structuredContent', 'isError']
const IMMEDIATE = 'io.modelcontextprotocol/model-immediate-response'
/** A tool of which we know nothing may be done by then; an acceptance that takes longer waited for something. */
const AT_ONCE_MS = 1_000

export default serverScenario({
  title: 'A task is created at once, working, and without any result yet',
  needs: { capability: 'tasks.requests.tools.call', since: '2025-11-25' },
  hello: TASK_HELLO,
  claims: {
    shape: 'tasks.create.result-shape',
    only: 'tasks.create.no-operation-result',
    ttl: 'tasks.create.ttl-optional',
    prompt: 'tasks.create.returned-promptly',
    working: 'tasks.lifecycle.starts-working',
    immediate: 'tasks.create.model-immediate-response',
  },
  run: attended(async function* (peer) {
    const tool = await taskTool(peer, FIXTURE)
    if (tool === undefined) {
      yield unmet(NO_TASK_TOOL)
      return
    }
    const control = await callAsTask(peer, tool)
    if (control.kind !== 'result') {
      yield unmet(`the control, a task call of ${tool.name}, was not accepted`)
      return
    }
    for (const wish of [{ ttl: TTL_MS }, {}]) {
      const reply = await callAsTask(peer, tool, wish)
      const taskId = createdId(reply)
      const soon = await peer.request('tasks/get', { taskId: taskId ?? '' })
      yield judge('ttl', taskId !== undefined, `a task for task: ${JSON.stringify(wish)}`, reply, {
        kind: memberFault(reply, 'task', 'taskId'),
        subject: `task: ${JSON.stringify(wish)}`,
      })
      if (reply.kind !== 'result') continue
      if (!isObject(at(reply.result, 'task'))) {
        yield judge('shape', false, 'a result with the member task', reply, {
          kind: memberFault(reply, 'task'),
          subject: 'result.task',
        })
        continue
      }
      for (const member of MEMBERS) {
        const present = at(reply.result, 'task', member) !== undefined
        yield judge('shape', present, `a task with ${MEMBERS.join(', ')}`, reply, {
          kind: 'missing',
          subject: `result.task.${member}`,
        })
      }
      for (const member of OPERATION) {
        const absent = at(reply.result, member) === undefined
        yield judge('only', absent, 'a task without the result of the call', reply, {
          kind: 'unasked',
          subject: `result.${member}`,
        })
      }
      yield judge(
        'working',
        begins(at(reply.result, 'task', 'status'), tool.name),
        'a task that begins as working',
        reply,
      )
      const hint = at(reply.result, '_meta', IMMEDIATE)
      yield judge(
        'immediate',
        hint === undefined || typeof hint === 'string',
        `a text under ${IMMEDIATE}`,
        reply,
        'wrong-type',
      )
      // Still at work right after the acceptance: so that was not held back until the end.
      const waited = isTerminal(statusIn(soon)) && (tool.name === FIXTURE || reply.afterMs > AT_ONCE_MS)
      yield judge('prompt', !waited, 'the task before the work is done', reply, 'late')
      await abandon(peer, taskId)
    }
    await abandon(peer, createdId(control))
  }),
  defects: [
    {
      named: 'a task without lastUpdatedAt',
      breaks: 'shape',
      kind: 'missing',
      tamper: onTask(({ lastUpdatedAt: _, ...task }) => task),
    },
    {
      named: 'the members of the task right in the result',
      breaks: 'shape',
      kind: 'missing',
      also: ['ttl'],
      tamper: created(result => (isObject(result.task) ? result.task : result)),
    },
    {
      named: 'a result beside the task',
      breaks: 'only',
      kind: 'unasked',
      tamper: created(result => ({ ...result, content: [] })),
    },
    {
      named: 'refuses a task without ttl',
      breaks: 'ttl',
      kind: 'refused',
      tamper: tampers.answer('tools/call', (message, cause) =>
        at(cause, 'params', 'task', 'ttl') !== undefined ? message : refusal(-32602, 'task.ttl is required')(message),
      ),
    },
    {
      named: 'accepts a task when its work is done',
      breaks: 'prompt',
      kind: 'late',
      replace: withTasks({ acceptsAfter: 'the end' }),
    },
    {
      named: 'a new task is called pending',
      breaks: 'working',
      kind: 'wrong-value',
      tamper: onTask(task => ({ ...task, status: 'pending' })),
    },
    {
      named: 'the text for the model is an object',
      breaks: 'immediate',
      kind: 'wrong-type',
      tamper: created(result => ({ ...result, _meta: { [IMMEDIATE]: { text: 'wait' } } })),
    },
  ],
  variants: [
    {
      named: 'a text for the model',
      tamper: created(result => ({ ...result, _meta: { [IMMEDIATE]: 'The work has begun.' } })),
    },
    { named: 'tasks without end', replace: withTasks({ ttl: () => null }) },
  ],
})

/** A tool of which we do not know how long it takes may be further by the time the task is described. */
function begins(status: Json | undefined, tool: string): Outcome {
  if (status === 'working') return 'holds'
  const later = status === 'input_required' || isTerminal(String(status))
  return later && tool !== FIXTURE ? 'bends' : 'breaks'
}

function created(rewrite: (result: JsonObject) => JsonObject): Tamper {
  return tampers.result('tools/call', result => (isObject(result.task) ? rewrite(result) : result))
}

function onTask(rewrite: (task: JsonObject) => JsonObject): Tamper {
  return created(result => ({ ...result, task: rewrite(result.task as JsonObject) }))
}
