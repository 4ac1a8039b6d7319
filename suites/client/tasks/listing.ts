import {
  at,
  clientScenario,
  isObject,
  type Json,
  type JsonObject,
  judge,
  type Kind,
  memberFault,
  type Reply,
  tampers,
  textAt,
  unmet,
} from '../../../src/suite/client.ts'
import { ENDING } from './_ending-tasks.ts'
import { helloOf, receiving, without } from './_received-tasks.ts'

const MEMBERS = ['taskId', 'status', 'createdAt', 'lastUpdatedAt', 'ttl']

const CLAIMS = {
  shape: 'tasks.list.result-shape',
  whole: 'tasks.list.consistent-with-get',
  next: 'tasks.list.next-cursor',
} as const

export default clientScenario({
  title: 'The client lists every task that tasks/get finds, page by page and with all members',
  needs: { since: '2025-11-25' },
  script: ENDING,
  claims: CLAIMS,
  *run(seen) {
    yield* without(seen, CLAIMS)
    const { capabilities, taken, pages, kept } = seen.notes
    if (taken.length === 0) return
    if (!isObject(at(capabilities, 'tasks', 'list'))) {
      for (const claim of ['shape', 'whole', 'next'] as const)
        yield judge(claim, 'n/a', 'the capability tasks.list', helloOf(seen))
      return
    }
    const expected = `tasks, each with ${MEMBERS.join(', ')}`
    for (const reply of pages) {
      const faults = faultsIn(reply)
      if (faults.length === 0) yield judge('shape', true, expected, reply)
      for (const fault of faults) yield judge('shape', false, expected, reply, fault)
    }
    const last = pages.at(-1)
    if (kept.length === 0 || last === undefined) {
      yield unmet('no task was there to be listed', 'whole', 'next')
      return
    }
    const entries = pages.flatMap(page => tasksIn(page))
    const missing = kept.filter(id => !entries.some(entry => textAt(entry, 'taskId') === id))
    const got = { text: `${entries.length} tasks, without ${missing.length} that tasks/get finds`, frames: last.frames }
    yield judge(
      'whole',
      missing.length === 0,
      'all tasks that tasks/get finds',
      missing.length === 0 ? last : got,
      'missing',
    )
    // Some of them and then the end: the list was cut off. None of them is a list that leaves tasks out.
    const cut = missing.length > 0 && missing.length < kept.length
    if (missing.length === 0 || cut)
      yield judge('next', !cut, 'a nextCursor as long as there are more tasks', cut ? got : last, 'missing')
  },
  defects: [
    {
      named: 'ids in place of tasks',
      breaks: 'shape',
      kind: 'wrong-type',
      also: ['whole', 'next'],
      tamper: onTasks(task => task.taskId ?? null),
    },
    {
      named: 'a summary of each task',
      breaks: 'shape',
      kind: 'missing',
      tamper: onTasks(({ taskId, status }) => ({ taskId, status })),
    },
    {
      named: 'nextCursor is null on the last page',
      breaks: 'shape',
      kind: 'wrong-type',
      tamper: tampers.result('tasks/list', result => ({ nextCursor: null, ...result })),
    },
    {
      named: 'one page and no nextCursor',
      breaks: 'next',
      kind: 'missing',
      also: ['whole'],
      replace: receiving({ page: entries => ({ entries: entries.slice(0, 2) }) }),
    },
    {
      named: 'lists what has ended only',
      breaks: 'whole',
      kind: 'missing',
      replace: receiving({ page: entries => ({ entries: entries.filter(task => at(task, 'status') !== 'working') }) }),
    },
  ],
  variants: [
    {
      named: 'a page for each task',
      shows: ['shape', 'whole', 'next'],
      replace: ({ tasks }, { pagesOf }) => ({ tasks: { ...tasks, page: pagesOf(1) } }),
    },
    {
      named: 'does not list',
      replace: client => ({
        capabilities: (settings, version) => {
          const { tasks, ...others } = client.capabilities(settings, version)
          return { ...others, tasks: { requests: at(tasks, 'requests') ?? {} } }
        },
      }),
    },
  ],
})

function tasksIn(page: Reply): Json[] {
  const tasks = page.kind === 'result' ? at(page.result, 'tasks') : undefined
  return Array.isArray(tasks) ? tasks : []
}

/** What is wrong with a page, by its places. */
function faultsIn(reply: Reply): { kind: Kind; subject: string }[] {
  if (reply.kind !== 'result') return [{ kind: 'refused', subject: 'result' }]
  if (!Array.isArray(at(reply.result, 'tasks'))) return [{ kind: memberFault(reply, 'tasks'), subject: 'result.tasks' }]
  const faults: { kind: Kind; subject: string }[] = []
  const nextCursor = at(reply.result, 'nextCursor')
  if (nextCursor !== undefined && typeof nextCursor !== 'string')
    faults.push({ kind: 'wrong-type', subject: 'result.nextCursor' })
  const tasks = tasksIn(reply)
  if (!tasks.every(isObject)) return [...faults, { kind: 'wrong-type', subject: 'result.tasks[]' }]
  const lacking = MEMBERS.filter(member => tasks.some(task => task[member] === undefined))
  return [...faults, ...lacking.map(member => ({ kind: 'missing' as const, subject: `result.tasks[].${member}` }))]
}

function onTasks(change: (task: JsonObject) => Json) {
  return tampers.result('tasks/list', ({ tasks, ...rest }) => ({
    ...rest,
    tasks: Array.isArray(tasks) ? tasks.map(task => (isObject(task) ? change(task) : task)) : [],
  }))
}
