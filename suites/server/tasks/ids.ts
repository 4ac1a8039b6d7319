import {
  abandon,
  at,
  attended,
  callAsTask,
  createdId,
  guess,
  judge,
  NO_TASK_TOOL,
  type Reply,
  refusal,
  serverScenario,
  TASK_HELLO,
  TTL_MS,
  tampers,
  taskTool,
  unmet,
  withTasks,
} from '../../../src/suite/server.ts'

/** Ours, as a client that thinks that it may choose. */
const WISHED_ID = 'an-id-of-the-client'
const TASKS = 5

export default serverScenario({
  title: 'Each task gets an id of its own, which the server makes up and nobody can guess',
  needs: { capability: 'tasks.requests.tools.call', since: '2025-11-25' },
  hello: TASK_HELLO,
  claims: {
    generated: 'tasks.id.generated-by-receiver',
    unique: 'tasks.id.unique',
    unguessable: 'tasks.security.unguessable-ids',
  },
  run: attended(async function* (peer) {
    const tool = await taskTool(peer, 'test_task_slow')
    if (tool === undefined) {
      yield unmet(NO_TASK_TOOL)
      return
    }
    const replies: Reply[] = []
    for (let count = 1; count < TASKS; count += 1) replies.push(await callAsTask(peer, tool))
    const own = await callAsTask(peer, tool, { ttl: TTL_MS, taskId: WISHED_ID })
    // The members of `task` are not closed, but nobody has to take one more than there is.
    if (createdId(own) === undefined) yield unmet('no task came about for a request with a taskId of ours', 'generated')
    else yield judge('generated', createdId(own) !== WISHED_ID, 'an id that the server made up', own)
    const ids = [...replies, own].flatMap(reply => createdId(reply) ?? [])
    if (ids.length < 2) {
      yield unmet(`fewer than two tasks came about for ${tool.name}`, 'unique', 'unguessable')
      return
    }
    const got = { text: `the ids ${ids.join(', ')}`, frames: replies.flatMap(({ frames }) => frames) }
    yield judge('unique', new Set(ids).size === ids.length, 'each task under an id of its own', got, 'duplicate')
    const guessable = guess(ids)
    // Over stdio nobody else is there to guess.
    const outcome = peer.via === 'stdio' && guessable === 'breaks' ? 'bends' : guessable
    yield judge('unguessable', outcome, 'long ids without a pattern', got)
    await abandon(peer, ...ids)
  }),
  defects: [
    {
      named: 'takes over the id of the client',
      breaks: 'generated',
      kind: 'wrong-value',
      replace: withTasks({ id: params => at(params, 'task', 'taskId') ?? crypto.randomUUID() }),
    },
    {
      named: 'an id for each tool',
      breaks: 'unique',
      kind: 'duplicate',
      also: ['unguessable'],
      replace: withTasks({ id: params => `task-of-the-tool-${String(params.name)}` }),
    },
    ...[
      { named: 'counts its tasks', replace: counting('task-') },
      { named: 'counts its tasks behind the time of its start', replace: counting('1764500000000-') },
    ].flatMap(({ named, replace }) => [
      { named, breaks: 'unguessable' as const, kind: 'wrong-value' as const, via: 'http' as const, replace },
      {
        named: `${named}, where nobody else can ask`,
        breaks: 'unguessable' as const,
        kind: 'wrong-value' as const,
        verdict: 'warn' as const,
        via: 'stdio' as const,
        replace,
      },
    ]),
  ],
  variants: [
    { named: 'short ids', bends: ['unguessable'], replace: withTasks({ id: () => crypto.randomUUID().slice(0, 8) }) },
    {
      named: 'refuses members of task that it does not know',
      tamper: tampers.answer('tools/call', (message, cause) =>
        at(cause, 'params', 'task', 'taskId') === undefined
          ? message
          : refusal(-32602, 'Unrecognized key: taskId')(message),
      ),
    },
  ],
})

function counting(prefix: string) {
  return () => {
    let count = 0
    return withTasks({
      id: () => {
        count += 1
        return `${prefix}${count}`
      },
    })
  }
}
