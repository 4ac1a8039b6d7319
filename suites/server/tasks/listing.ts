import {
  abandon,
  at,
  attended,
  callAsTask,
  createdId,
  type Fault,
  isObject,
  type Json,
  judge,
  listAll,
  memberFault,
  NO_TASK_TOOL,
  type Reply,
  serverScenario,
  TASK_HELLO,
  tampers,
  taskTool,
  textAt,
  unmet,
  withTasks,
} from '../../../src/suite/server.ts'

const MEMBERS = ['taskId', 'status', 'createdAt', 'lastUpdatedAt', 'ttl']
/** Enough for a second page of the reference; what a server takes for a page is its own business. */
const COUNT = 3

export default serverScenario({
  title: 'tasks/list shows every task that tasks/get finds, page by page and with all members',
  needs: { capability: 'tasks.list', since: '2025-11-25' },
  hello: TASK_HELLO,
  claims: {
    shape: 'tasks.list.result-shape',
    whole: 'tasks.list.consistent-with-get',
    next: 'tasks.list.next-cursor',
  },
  run: attended(async function* (peer) {
    const tool = await taskTool(peer, 'test_task_slow')
    const ids: string[] = []
    for (let count = 0; tool !== undefined && count < COUNT; count += 1) {
      const id = createdId(await callAsTask(peer, tool))
      if (id !== undefined) ids.push(id)
    }
    const before = await findable(peer.request, ids)
    const { entries, replies } = await listAll(peer, 'tasks/list', 'tasks')
    // What expired or was purged meanwhile is no loss.
    const kept = await findable(peer.request, before)
    const expected = `tasks, each with ${MEMBERS.join(', ')}`
    for (const reply of replies) {
      const faults = pageFaults(reply)
      if (faults.length === 0) yield judge('shape', true, expected, reply)
      for (const fault of faults) yield judge('shape', false, expected, reply, fault)
    }
    const listed = new Set(entries.map(entry => textAt(entry, 'taskId')))
    const missing = kept.filter(id => !listed.has(id))
    await abandon(peer, ...ids)
    const last = replies.at(-1)
    if (kept.length === 0 || last === undefined) {
      yield unmet(tool === undefined ? NO_TASK_TOOL : 'no task was there to be listed', 'whole', 'next')
      return
    }
    const got = { text: `${entries.length} tasks, without ${missing.join(', ')}`, frames: last.frames }
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
  }),
  defects: [
    {
      named: 'ids in place of tasks',
      breaks: 'shape',
      kind: 'wrong-type',
      also: ['whole', 'next'],
      tamper: tampers.result('tasks/list', ({ tasks, ...rest }) => ({
        ...rest,
        tasks: mapped(tasks, task => task.taskId ?? null),
      })),
    },
    {
      named: 'a summary of each task',
      breaks: 'shape',
      kind: 'missing',
      tamper: tampers.result('tasks/list', ({ tasks, ...rest }) => ({
        ...rest,
        tasks: mapped(tasks, ({ taskId, status }) => ({ taskId, status })),
      })),
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
      tamper: tampers.result('tasks/list', ({ nextCursor: _, ...rest }) => rest),
    },
    {
      named: 'lists what has ended only',
      breaks: 'whole',
      kind: 'missing',
      tamper: tampers.result('tasks/list', ({ tasks, ...rest }) => ({
        ...rest,
        tasks: Array.isArray(tasks) ? tasks.filter(task => at(task, 'status') !== 'working') : [],
      })),
    },
  ],
  variants: [
    {
      named: 'all tasks on one page',
      replace: withTasks({ page: entries => ({ entries }) }),
    },
  ],
})

/** Those of the ids that tasks/get finds. */
async function findable(
  request: (method: string, params: { taskId: string }) => PromiseLike<Reply>,
  ids: readonly string[],
): Promise<string[]> {
  const found: string[] = []
  for (const taskId of ids) if ((await request('tasks/get', { taskId })).kind === 'result') found.push(taskId)
  return found
}

function pageFaults(reply: Reply): Fault[] {
  if (reply.kind !== 'result') return [{ kind: memberFault(reply) }]
  const tasks = at(reply.result, 'tasks')
  if (!Array.isArray(tasks)) return [{ kind: memberFault(reply, 'tasks'), subject: 'result.tasks' }]
  const next = at(reply.result, 'nextCursor')
  const entries = tasks.filter(isObject)
  const faults: Fault[] = MEMBERS.filter(member => entries.some(task => task[member] === undefined)).map(member => ({
    kind: 'missing',
    subject: `result.tasks[].${member}`,
  }))
  if (entries.length < tasks.length) faults.push({ kind: 'wrong-type', subject: 'result.tasks[]' })
  if (next !== undefined && typeof next !== 'string') faults.push({ kind: 'wrong-type', subject: 'result.nextCursor' })
  return faults
}

function mapped(tasks: Json | undefined, change: (task: { [member: string]: Json | undefined }) => Json): Json[] {
  return Array.isArray(tasks) ? tasks.map(task => (isObject(task) ? change(task) : task)) : []
}
