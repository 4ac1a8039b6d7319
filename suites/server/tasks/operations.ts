import {
  at,
  codes,
  declaring,
  type Json,
  type JsonObject,
  judge,
  type Reply,
  serverScenario,
  success,
  TASK_HELLO,
  tampers,
} from '../../../src/suite/server.ts'

/** An id of the usual form that no server has given out. */
const UNKNOWN = '6f1c2a52-0c1e-4f0b-9d57-5b1a6f0e9c11'

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
    const refusals: Reply[] = []
    const refused = (reply: Reply): boolean => {
      refusals.push(reply)
      return reply.kind === 'error' && reply.code === codes.invalidParams
    }
    const got = await peer.request('tasks/get', { taskId: UNKNOWN })
    yield judge('get', refused(got), 'error -32602 for a task that does not exist', got)
    const withinMs = Math.min(AT_ONCE_MS, peer.patience.replyMs)
    const fetched = await peer.request('tasks/result', { taskId: UNKNOWN }, { withinMs })
    yield judge('result', refused(fetched), 'error -32602 for a task that does not exist, without waiting', fetched)

    const cancelled = await peer.request('tasks/cancel', { taskId: UNKNOWN })
    if (declares(peer.capabilities, 'cancel')) {
      yield judge('cancels', !isUnknownMethod(cancelled), 'tasks/cancel, which is declared', cancelled)
      yield judge('cancel', refused(cancelled), 'error -32602 for a task that does not exist', cancelled)
    } else {
      // Whatever the code is: the operation is not of use to anybody.
      yield judge('cancels', cancelled.kind === 'error', 'an error for tasks/cancel, which is not declared', cancelled)
      yield judge('cancel', 'n/a', 'the capability tasks.cancel', cancelled)
    }

    const listed = await peer.request('tasks/list')
    if (declares(peer.capabilities, 'list')) {
      const isList = listed.kind === 'result' && Array.isArray(at(listed.result, 'tasks'))
      yield judge('lists', isList, 'a list of tasks, as tasks.list is declared', listed)
      const odd = await peer.request('tasks/list', { cursor: 'no-such-cursor' })
      yield judge('cursor', refused(odd), 'error -32602 for a cursor that the server never gave', odd)
    } else {
      const outcome = listed.kind === 'error' ? 'holds' : listed.kind === 'result' ? 'bends' : 'breaks'
      yield judge('lists', outcome, 'an error for tasks/list, which is not declared', listed)
      yield judge('cursor', 'n/a', 'the capability tasks.list', listed)
    }
    for (const reply of refusals) {
      if (reply.kind === 'error')
        yield judge('told', isInformative(reply.message), 'a message that says what was wrong', reply)
    }
  },
  defects: [
    ...(['tasks/get', 'tasks/result', 'tasks/cancel'] as const).map(method => ({
      named: `${method} answers an unknown task with an internal error`,
      breaks: method.slice('tasks/'.length) as 'get' | 'result' | 'cancel',
      tamper: withCode(method, codes.internalError),
    })),
    {
      named: 'tasks/result waits for a task that does not exist',
      breaks: 'result',
      tamper: tampers.answer('tasks/result', () => undefined),
    },
    {
      named: 'any cursor gives the first page',
      breaks: 'cursor',
      tamper: tampers.answer('tasks/list', success({ tasks: [] })),
    },
    {
      named: 'tasks.list is declared, but tasks/list is unknown',
      breaks: 'lists',
      also: ['cursor', 'told'],
      tamper: tampers.answer('tasks/list', ({ id }) => unknownMethod(id)),
    },
    {
      named: 'tasks.cancel is declared, but tasks/cancel is unknown',
      breaks: 'cancels',
      also: ['cancel', 'told'],
      tamper: tampers.answer('tasks/cancel', ({ id }) => unknownMethod(id)),
    },
    {
      named: 'lists tasks without a word about it in the capabilities',
      breaks: 'lists',
      replace: { ...declaring(CALLS), extraMethods: { 'tasks/list': () => ({ tasks: [] }) } },
    },
    {
      named: 'cancels what it does not know, and without the capability',
      breaks: 'cancels',
      replace: { ...declaring(CALLS), extraMethods: { 'tasks/cancel': () => ({}) } },
    },
    {
      named: 'errors that only repeat the name of their code',
      breaks: 'told',
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

const unknownMethod = (id: Json | undefined): JsonObject => ({
  jsonrpc: '2.0',
  id,
  error: { code: codes.methodNotFound, message: 'Method not found' },
})

function withCode(method: string, code: number) {
  return tampers.answer(method, message => ({
    ...message,
    error: { code, message: 'the task could not be looked up' },
  }))
}
