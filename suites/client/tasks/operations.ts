import {
  at,
  clientScenario,
  codes,
  isObject,
  type JsonObject,
  judge,
  memberFault,
  type Reply,
  refusalFault,
  success,
  tampers,
  undone,
  unmet,
} from '../../../src/suite/client.ts'
import { GIVING } from './_giving-tasks.ts'
import { helloOf } from './_received-tasks.ts'

const CLAIMS = {
  lists: 'tasks.capability.list-controls-method',
  cancels: 'tasks.capability.cancel-controls-method',
  get: 'tasks.error.unknown-task-get',
  result: 'tasks.error.unknown-task-result',
  cancel: 'tasks.error.unknown-task-cancel',
  cursor: 'tasks.error.invalid-cursor',
} as const

export default clientScenario({
  title: 'The client serves the task operations that it declares, and refuses unknown tasks and cursors with -32602',
  needs: { since: '2025-11-25' },
  script: GIVING,
  claims: CLAIMS,
  *run(seen) {
    const { capabilities, unknown, listed, oddCursor } = seen.notes
    if (capabilities === undefined) {
      yield unmet(undone(seen, 'list the tools'))
      return
    }
    const { tasks } = capabilities
    if (unknown === undefined || listed === undefined || oddCursor === undefined) {
      const got = { text: 'tasks are not declared', frames: [helloOf(seen)] }
      for (const claim of Object.keys(CLAIMS) as (keyof typeof CLAIMS)[])
        yield judge(claim, 'n/a', 'the capability tasks', got)
      return
    }
    const { get, result, cancel } = unknown
    yield judge('get', isRefused(get), 'error -32602 for a task that does not exist', get, refusalFault(get))
    yield judge(
      'result',
      isRefused(result),
      'error -32602 at once for a task that is none',
      result,
      refusalFault(result),
    )
    if (isObject(at(tasks, 'cancel'))) {
      const kind = cancel.kind === 'result' ? 'accepted' : 'refused'
      yield judge('cancels', isServed(cancel), 'tasks/cancel, which is declared', cancel, kind)
      yield judge(
        'cancel',
        isRefused(cancel),
        'error -32602 for a task that does not exist',
        cancel,
        refusalFault(cancel),
      )
    } else {
      yield judge('cancels', cancel.kind === 'error', 'an error, as it is not declared', cancel, 'accepted')
      yield judge('cancel', 'n/a', 'the capability tasks.cancel', cancel)
    }
    if (isObject(at(tasks, 'list'))) {
      const isList = listed.kind === 'result' && Array.isArray(at(listed.result, 'tasks'))
      yield judge('lists', isList, 'a list of tasks, as tasks.list is declared', listed, memberFault(listed, 'tasks'))
      const expected = 'error -32602 for a cursor that the client never gave'
      yield judge('cursor', isRefused(oddCursor), expected, oddCursor, refusalFault(oddCursor))
    } else {
      const outcome = listed.kind === 'error' ? 'holds' : listed.kind === 'result' ? 'bends' : 'breaks'
      yield judge('lists', outcome, 'an error for tasks/list, which is not declared', listed, 'accepted')
      yield judge('cursor', 'n/a', 'the capability tasks.list', listed)
    }
  },
  defects: [
    ...(['tasks/get', 'tasks/result', 'tasks/cancel'] as const).map(method => ({
      named: `${method} answers an unknown task with an internal error`,
      breaks: method.slice('tasks/'.length) as 'get' | 'result' | 'cancel',
      kind: 'wrong-code' as const,
      tamper: tampers.answer(method, message => ({
        ...message,
        error: { code: codes.internalError, message: 'lost' },
      })),
    })),
    {
      named: 'tasks/result waits for a task that does not exist',
      breaks: 'result',
      kind: 'silent',
      tamper: tampers.answer('tasks/result', message => (message.error === undefined ? message : undefined)),
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
      also: ['cursor'],
      tamper: tampers.refuse('tasks/list', codes.methodNotFound),
    },
    {
      named: 'tasks.cancel is declared, but tasks/cancel is unknown',
      breaks: 'cancels',
      kind: 'refused',
      also: ['cancel'],
      tamper: tampers.refuse('tasks/cancel', codes.methodNotFound),
    },
    {
      named: 'lists tasks without a word about it in the capabilities',
      breaks: 'lists',
      kind: 'accepted',
      verdict: 'warn',
      replace: client => ({ ...declaring('cancel')(client), serves: () => true }),
    },
    {
      named: 'cancels what it does not know, and without the capability',
      breaks: 'cancels',
      kind: 'accepted',
      tamper: tampers.message((message, cause) => {
        if (message.method === 'initialize') return withoutCancel(message)
        return cause?.method === 'tasks/cancel' ? success()(message) : message
      }),
    },
  ],
  variants: [
    { named: 'neither lists nor cancels', shows: ['lists', 'cancels'], replace: declaring() },
    { named: 'lists only', shows: ['lists', 'cancels', 'cursor'], replace: declaring('list') },
  ],
})

const isRefused = (reply: Reply): boolean => reply.kind === 'error' && reply.code === codes.invalidParams

const isServed = (reply: Reply): boolean => reply.kind === 'error' && reply.code !== codes.methodNotFound

interface Declares {
  capabilities(settings: never, version: string): JsonObject
}

/** The reference with these operations for tasks, and no others. */
function declaring(...operations: string[]) {
  return (client: Declares): Declares => ({
    capabilities(settings, version) {
      const { tasks, ...others } = client.capabilities(settings, version)
      const requests = at(tasks, 'requests') ?? {}
      return { ...others, tasks: { requests, ...Object.fromEntries(operations.map(name => [name, {}])) } }
    },
  })
}

function withoutCancel(message: JsonObject): JsonObject {
  const params = isObject(message.params) ? message.params : {}
  const capabilities = isObject(params.capabilities) ? params.capabilities : {}
  const { cancel: _, ...tasks } = isObject(capabilities.tasks) ? capabilities.tasks : {}
  return { ...message, params: { ...params, capabilities: { ...capabilities, tasks } } }
}
