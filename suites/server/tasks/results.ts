import {
  at,
  attended,
  callAsTask,
  callPlainly,
  createdId,
  finish,
  isObject,
  isTerminal,
  type Json,
  type JsonObject,
  judge,
  NO_TASK_TOOL,
  RELATED_TASK,
  type Reply,
  serverScenario,
  statusIn,
  TASK_HELLO,
  type Tamper,
  tampers,
  taskTool,
  toolsToCall,
  unmet,
  withTasks,
} from '../../../src/suite/server.ts'

/** The tool that says the same each time, plainly and as a task. */
const SAME = 'test_task_optional'

export default serverScenario({
  title: 'tasks/result waits for the end of the task, then gives what the plain request would have given',
  needs: { capability: 'tasks.requests.tools.call', since: '2025-11-25' },
  hello: TASK_HELLO,
  claims: {
    waits: 'tasks.result.blocks-until-terminal',
    final: 'tasks.result.terminal-returns-final',
    type: 'tasks.result.matches-original-type',
    related: 'tasks.related.result-must-include',
    exact: 'tasks.result.exact',
  },
  run: attended(async function* (peer) {
    const tool = await taskTool(peer, 'test_task_slow')
    const created = tool === undefined ? undefined : await callAsTask(peer, tool)
    const taskId = created === undefined ? undefined : createdId(created)
    if (tool === undefined || taskId === undefined) {
      yield unmet(tool === undefined ? NO_TASK_TOOL : `no task came about for ${tool.name}`)
      return
    }
    const pending = peer.request('tasks/result', { taskId })
    const meanwhile = await peer.request('tasks/get', { taskId })
    const result = await pending
    // Asked behind the answer, so that a task that still goes on shows an answer that came too early.
    const after = await peer.request('tasks/get', { taskId })
    if (result.kind === 'none' && !isTerminal(statusIn(after))) {
      yield unmet(`the task of ${tool.name} did not end in the time that we wait for it`)
      return
    }
    if (isTerminal(statusIn(meanwhile))) {
      yield unmet(`the task of ${tool.name} ended before anything could wait for it`, 'waits')
    } else {
      const early = after.kind === 'result' && !isTerminal(statusIn(after))
      yield judge(
        'waits',
        !early,
        'no answer to tasks/result before the task has ended',
        early ? after : result,
        'wrong-order',
      )
      if (early) return
    }
    yield judge('final', result.kind === 'result' || result.kind === 'error', 'the result of the ended task', result)
    if (result.kind === 'result') {
      const carried = at(result.result, '_meta', RELATED_TASK, 'taskId')
      yield judge('type', isToolResult(result.result), 'a result of tools/call, with content', result, 'wrong-type')
      yield judge(
        'related',
        carried === taskId,
        `the id of the task under ${RELATED_TASK}`,
        result,
        carried === undefined ? 'missing' : 'wrong-value',
      )
      const again = await peer.request('tasks/result', { taskId })
      const same = again.kind === 'result' && JSON.stringify(again.result) === JSON.stringify(result.result)
      yield judge(
        'final',
        same,
        'the same result when it is asked for again, within the ttl',
        again,
        again.kind === 'result' ? 'wrong-value' : 'lost',
      )
    }

    const steady = (await toolsToCall(peer)).find(({ name }) => name === SAME)
    if (steady === undefined) {
      yield unmet(`fixture ${SAME} not offered`, 'exact')
      return
    }
    const plain = await callPlainly(peer, steady)
    const id = createdId(await callAsTask(peer, steady))
    if (plain.kind !== 'result' || id === undefined) {
      yield unmet(`the control, ${SAME} called plainly and as a task, brought no result and task`, 'exact')
      return
    }
    const { result: fetched } = await finish(peer, id)
    yield judge('exact', equals(plain, fetched), `the result of the plain call: ${withoutMeta(plain)}`, fetched)
  }),
  defects: [
    {
      named: 'answers with the state of the task at once',
      breaks: 'waits',
      kind: 'wrong-order',
      replace: withTasks({ waits: false }),
    },
    {
      named: 'forgets a result that was fetched',
      breaks: 'final',
      kind: 'lost',
      replace: withTasks({ keepsAfter: () => false }),
    },
    {
      named: 'never answers',
      breaks: 'final',
      kind: 'silent',
      also: ['exact'],
      tamper: tampers.answer('tasks/result', () => undefined),
    },
    {
      named: 'wraps the result',
      breaks: 'type',
      kind: 'wrong-type',
      also: ['exact'],
      tamper: tampers.result('tasks/result', ({ _meta, ...result }) => ({ _meta, result })),
    },
    {
      named: 'answers with the task instead',
      breaks: 'type',
      kind: 'wrong-type',
      also: ['exact'],
      tamper: tampers.result('tasks/result', ({ _meta }) => ({ _meta, taskId: 'x', status: 'completed' })),
    },
    {
      named: 'does not say which task the result is of',
      breaks: 'related',
      kind: 'missing',
      tamper: tampers.result('tasks/result', ({ _meta: _, ...result }) => result),
    },
    {
      named: 'adds a note to the result of a task',
      breaks: 'exact',
      kind: 'wrong-value',
      tamper: tampers.result('tasks/result', result => ({ ...result, structuredContent: { task: true } })),
    },
    { named: 'gives the result of the task before', breaks: 'exact', kind: 'wrong-value', tamper: lagging() },
  ],
  variants: [
    {
      named: 'a result with metadata of its own',
      tamper: tampers.result('tasks/result', result => ({ ...result, _meta: { ...meta(result), 'x-own': 1 } })),
    },
  ],
})

const isToolResult = (result: Json): boolean =>
  Array.isArray(at(result, 'content')) && at(result, 'taskId') === undefined && at(result, 'task') === undefined

const equals = (a: Reply, b: Reply): boolean => withoutMeta(a) === withoutMeta(b)

/** The members in a fixed order: it means nothing in JSON. */
function withoutMeta(reply: Reply): string {
  if (reply.kind !== 'result' || !isObject(reply.result)) return reply.kind
  const { _meta: _, ...rest } = reply.result
  return JSON.stringify(Object.fromEntries(Object.entries(rest).sort(([a], [b]) => (a < b ? -1 : 1))))
}

const meta = ({ _meta }: JsonObject): JsonObject => (isObject(_meta) ? _meta : {})

/** The content of the first result, ever after. */
function lagging(): Tamper {
  let first: Json | undefined
  return tampers.result('tasks/result', result => {
    first ??= result.content
    return { ...result, ...(first === undefined ? {} : { content: first }) }
  })
}
