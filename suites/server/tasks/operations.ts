import {
  at,
  codes,
  declaring,
  judge,
  memberFault,
  type Reply,
  refusalFault,
  serverScenario,
  success,
  TASK_HELLO,
  tampers,
} from '../../../src/suite/server.ts'

/** An id of the usual form that no server has given out. */
const UNKNOWN = '6f1c2a52-0c1e-4f0b-9d57-5b1a6f0e9c11'

const UNKNOWN_TASK = 'error -32602 for a task that does not exist'

const CALLS = { requests: { tools: { call: {} } } }

/** An unknown task has no end to wait for, so tasks/result answers at once. */
const AT_ONCE_MS = 5_000

export default serverScenario({
  title: 'Task operations are served where they are declared, and refuse unknown tasks and cursors with -32602',
  needs: { capability: 'tasks', since: '2025-11-25' },
  hello: TASK_HELLO,
  claims: {
    lists: 'tasks.capability.list-controls-method',
    cancels: 'tasks.capability.cancel-controls-method',
    get: 'tasks.error.unknown-task-get',
    result: 'tasks.error.unknown-task-result',
    cancel: 'tasks.error.unknown-task-cancel',
    cursor: 'tasks.error.invalid-cursor',
    told: 'tasks.error.informative-message',
  },
  async *run(peer) {
    const refusals: [method: string, reply: Reply][] = []
    const refused = (method: string, reply: Reply): boolean => {
      refusals.push([method, reply])
      return reply.kind === 'error' && reply.code === codes.invalidParams
    }
    const got = await peer.request('tasks/get', { taskId: UNKNOWN })
    yield judge('get', refused('tasks/get', got), UNKNOWN_TASK, got, refusalFault(got))
    const withinMs = Math.min(AT_ONCE_MS, peer.timeouts.replyMs)
    const fetched = await peer.request('tasks/result', { taskId: UNKNOWN }, { withinMs })
    yield judge(
      'result',
      refused('tasks/result', fetched),
      `${UNKNOWN_TASK}, without waiting`,
      fetched,
      refusalFault(fetched),
    )

    const cancelled = await peer.request('tasks/cancel', { taskId: UNKNOWN })
    if (declares(peer.capabilities, 'cancel')) {
      const kind = cancelled.kind === 'result' ? 'accepted' : memberFault(cancelled)
      yield judge('cancels', !isUnknownMethod(cancelled), 'tasks/cancel, which is declared', cancelled, kind)
      yield judge('cancel', refused('tasks/cancel', cancelled), UNKNOWN_TASK, cancelled, refusalFault(cancelled))
    } else {
      // Whatever the code is: the operation is not of use to anybody.
      const expected = 'an error for tasks/cancel, which is not declared'
      yield judge('cancels', cancelled.kind === 'error', expected, cancelled, refusalFault(cancelled))
      yield judge('cancel', 'n/a', 'the capability tasks.cancel', cancelled)
    }

    const listed = await peer.request('tasks/list')
    if (declares(peer.capabilities, 'list')) {
      const isList = listed.kind === 'result' && Array.isArray(at(listed.result, 'tasks'))
      yield judge('lists', isList, 'a list of tasks, as tasks.list is declared', listed, memberFault(listed, 'tasks'))
      const odd = await peer.request('tasks/list', { cursor: 'no-such-cursor' })
      const expected = 'error -32602 for a cursor that the server never gave'
      yield judge('cursor', refused('tasks/list', odd), expected, odd, refusalFault(odd))
    } else {
      const outcome = listed.kind === 'error' ? 'holds' : listed.kind === 'result' ? 'bends' : 'breaks'
      yield judge('lists', outcome, 'an error for tasks/list, which is not declared', listed, refusalFault(listed))
      yield judge('cursor', 'n/a', 'the capability tasks.list', listed)
    }
    for (const [method, reply] of refusals) {
      if (reply.kind === 'error')
        yield judge('told', isInformative(reply.message), 'a message that says what was wrong', reply, {
          kind: 'wrong-value',
          subject: method,
        })
    }
  },
  defects: [
    ...(['tasks/get', 'tasks/result', 'tasks/cancel'] as const).map(method => ({
      named: `${method} answers an unknown task with an internal error`,
      breaks: method.slice('tasks/'.length) as 'get' | 'result' | 'cancel',
      kind: 'wrong-code' as const,
      tamper: tampers.refuse(method, codes.internalError, 'the task could not be looked up'),
    })),
    {
      named: 'tasks/result waits for a task that does not exist',
      breaks: 'result',
      kind: 'silent',
      tamper: tampers.answer('tasks/result', () => undefined),
    },
    {
      named: 'any cursor gives the first page',
      breaks: 'cursor',
      kind: 'accepted',
      tamper: tampers.answer('tasks/list', success({ tasks: [] })),
    },
    {
      named: 'tasks.list is declared, but tasks/list is unknown',
      breaks: 'lists',
      kind: 'refused',
      also: ['cursor', 'told'],
      tamper: tampers.refuse('tasks/list', codes.methodNotFound, 'Method not found'),
    },
    {
      named: 'tasks.cancel is declared, but tasks/cancel is unknown',
      breaks: 'cancels',
      kind: 'refused',
      also: ['cancel', 'told'],
      tamper: tampers.refuse('tasks/cancel', codes.methodNotFound, 'Method not found'),
    },
    {
      named: 'lists tasks without a word about it in the capabilities',
      breaks: 'lists',
      kind: 'accepted',
      verdict: 'warn',
      replace: { ...declaring(CALLS), extraMethods: { 'tasks/list': () => ({ tasks: [] }) } },
    },
    {
      named: 'cancels what it does not know, and without the capability',
      breaks: 'cancels',
      kind: 'accepted',
      replace: { ...declaring(CALLS), extraMethods: { 'tasks/cancel': () => ({}) } },
    },
    {
      named: 'errors that only repeat the name of their code',
      breaks: 'told',
      kind: 'wrong-value',
      tamper: tampers.error(error => ({ ...error, message: 'Invalid params' })),
    },
  ],
  variants: [
    { named: 'neither lists nor cancels', shows: ['lists', 'cancels'], replace: declaring(CALLS) },
    { named: 'lists only', shows: ['lists', 'cancels', 'cursor'], replace: declaring({ ...CALLS, list: {} }) },
  ],
})

const declares = (capabilities: unknown, name: string): boolean => at(capabilities, 'tasks', name) !== undefined

const isUnknownMethod = (reply: Reply): boolean => reply.kind !== 'error' || reply.code === codes.methodNotFound

const isInformative = (message: string): boolean => !/^(?:mcp error -32602:?)?\s*(?:invalid params)?\.?$/i.test(message)
