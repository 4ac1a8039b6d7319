import {
  abandon,
  at,
  attended,
  callAsTask,
  callPlainly,
  codes,
  createdId,
  type Json,
  type JsonObject,
  judge,
  memberFault,
  type Reply,
  refusalFault,
  serverScenario,
  success,
  TASK_HELLO,
  type TaskTool,
  tampers,
  toolsToCall,
  unmet,
  withTasks,
} from '../../../src/suite/server.ts'

export default serverScenario({
  title: 'A tool is called as a task or plainly as its execution.taskSupport says, and refused otherwise',
  needs: { capability: 'tasks.requests.tools.call', since: '2025-11-25' },
  hello: TASK_HELLO,
  claims: {
    forbidden: 'tasks.tool.server-rejects-forbidden',
    optional: 'tasks.tool.client-may-choose-optional',
    required: 'tasks.tool.server-rejects-non-task-required',
  },
  run: attended(async function* (peer) {
    const tools = await toolsToCall(peer)
    const some = (support: TaskTool['support']): TaskTool | undefined => tools.find(tool => tool.support === support)

    const forbidden = some('forbidden')
    const control = forbidden === undefined ? undefined : await callPlainly(peer, forbidden)
    if (forbidden === undefined || control?.kind !== 'result') {
      yield unmet('no tool without tasks could be called', 'forbidden')
    } else {
      const reply = await callAsTask(peer, forbidden, undefined, { intended: 'fault' })
      const outcome = isRefused(reply) ? 'holds' : reply.kind === 'error' ? 'bends' : 'breaks'
      yield judge(
        'forbidden',
        outcome,
        `error -32601 for a task call of ${forbidden.name}, which takes none`,
        reply,
        refusalFault(reply),
      )
    }

    const optional = some('optional')
    if (optional === undefined) {
      yield unmet('no tool that may be called has taskSupport optional', 'optional')
    } else {
      const plain = await callPlainly(peer, optional)
      const isPlain = plain.kind === 'result' && Array.isArray(at(plain.result, 'content'))
      yield judge('optional', isPlain, `a result with content for a plain call of ${optional.name}`, plain, {
        kind: memberFault(plain, 'content'),
        subject: 'a plain call',
      })
      const reply = await callAsTask(peer, optional)
      yield judge('optional', createdId(reply) !== undefined, `a task for a task call of ${optional.name}`, reply, {
        kind: memberFault(reply, 'task', 'taskId'),
        subject: 'a task call',
      })
      await abandon(peer, createdId(reply))
    }

    const required = some('required')
    if (required === undefined) {
      yield unmet('no tool that may be called has taskSupport required', 'required')
      return
    }
    const asTask = await callAsTask(peer, required)
    const id = createdId(asTask)
    if (id === undefined) {
      yield unmet(`the control, a task call of ${required.name}, brought no task`, 'required')
      return
    }
    const plain = await callPlainly(peer, required, { intended: 'fault' })
    yield judge(
      'required',
      isRefused(plain),
      `error -32601 for a plain call of ${required.name}`,
      plain,
      refusalFault(plain),
    )
    await abandon(peer, id)
  }),
  defects: [
    {
      named: 'calls a tool that takes no tasks at once',
      breaks: 'forbidden',
      kind: 'accepted',
      tamper: tampers.answer('tools/call', (message, cause) =>
        isForbidden(message, cause) ? success({ content: [] })(message) : message,
      ),
    },
    {
      named: 'refuses a task call as if its arguments were wrong',
      breaks: 'forbidden',
      kind: 'wrong-code',
      verdict: 'info',
      tamper: tampers.answer('tools/call', (message, cause) =>
        isForbidden(message, cause) ? { ...message, error: { code: codes.invalidParams, message: 'no' } } : message,
      ),
    },
    {
      named: 'refuses a plain call with the code for requests that must be tasks',
      breaks: 'required',
      kind: 'wrong-code',
      tamper: tampers.answer('tools/call', (message, cause) =>
        at(message, 'error') === undefined || at(cause, 'params', 'task') !== undefined
          ? message
          : { ...message, error: { code: codes.invalidRequest, message: 'Task augmentation required' } },
      ),
    },
    {
      named: 'makes a task of any tool',
      breaks: 'forbidden',
      kind: 'accepted',
      replace: withTasks({ support: tool => named(tool) ?? 'optional' }),
    },
    {
      named: 'calls a tool plainly that must be a task',
      breaks: 'required',
      kind: 'accepted',
      replace: withTasks({ support: tool => (named(tool) === undefined ? 'forbidden' : 'optional') }),
    },
    {
      named: 'a tool that may be a task must be one',
      breaks: 'optional',
      kind: 'refused',
      replace: withTasks({ support: tool => (named(tool) === undefined ? 'forbidden' : 'required') }),
    },
    {
      named: 'a tool that may be a task is never one',
      breaks: 'optional',
      kind: 'refused',
      replace: withTasks({ support: tool => (named(tool) === 'required' ? 'required' : 'forbidden') }),
    },
  ],
})

const isRefused = (reply: Reply): boolean => reply.kind === 'error' && reply.code === codes.methodNotFound

const isForbidden = (message: JsonObject, cause: JsonObject): boolean =>
  at(message, 'error', 'code') === codes.methodNotFound && at(cause, 'params', 'task') !== undefined

function named(tool: Json): 'optional' | 'required' | undefined {
  const support = at(tool, 'execution', 'taskSupport')
  return support === 'optional' || support === 'required' ? support : undefined
}
