import {
  at,
  clientScenario,
  idKey,
  isObject,
  type JsonObject,
  judge,
  script,
  sent,
  textAt,
  undone,
  unmet,
} from '../../../src/suite/client.ts'

interface Notes {
  /** when CreateTaskResult went out */
  createdAt?: number
}

const TASK_ID = 'a-task-of-our-server'
const TOOL = 'long_task'
const STARTED = new Date(0).toISOString()

const task = (status: string): JsonObject => ({
  taskId: TASK_ID,
  status,
  createdAt: STARTED,
  lastUpdatedAt: STARTED,
  ttl: 60_000,
  pollInterval: 100,
})

/** A task that never ends: the user of the client gives it up. */
const ENDLESS = script({
  drive: {
    name: 'cancelled-task',
    steps: [
      { request: 'tools/list' },
      {
        request: 'tools/call',
        params: { name: TOOL, arguments: {} },
        task: { ttl: 60_000 },
        cancelAfterMs: 600,
        timeoutMs: 5_000,
      },
    ],
  },
  setup: () => ({
    capabilities: { tools: {}, tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } },
    tools: [
      {
        name: TOOL,
        description: 'Runs until it is cancelled',
        inputSchema: { type: 'object' },
        execution: { taskSupport: 'required' },
      },
    ],
  }),
  notes: (): Notes => ({}),
  play(server, notes) {
    let status = 'working'
    server.on('tools/call', ({ params }) => {
      if (!isObject(params.task)) return { error: { code: -32601, message: 'This tool runs as a task only' } }
      notes.createdAt = server.now()
      return { result: { task: task('working') } }
    })
    server.on('tasks/get', () => ({ result: task(status) }))
    server.on('tasks/cancel', () => {
      status = 'cancelled'
      return { result: task(status) }
    })
    server.on('tasks/result', async call => {
      await Promise.race([call.cancelled, server.pause(8_000)])
      return { error: { code: -32603, message: 'The task came to nothing' } }
    })
  },
})

export default clientScenario({
  title: 'The client cancels a task by tasks/cancel, not by the notification for requests',
  needs: { since: '2025-11-25' },
  script: ENDLESS,
  claims: { byTasks: 'cancellation.send.tasks-use-tasks-cancel' },
  *run(seen) {
    const call = sent(seen, 'tools/call').find(({ params }) => isObject(params.task))
    const { createdAt } = seen.notes
    if (call === undefined || createdAt === undefined) {
      yield unmet(undone(seen, 'call a tool as a task'))
      return
    }
    const told = sent(seen, 'notifications/cancelled').find(
      ({ params, frame }) => idKey(at(params, 'requestId')) === idKey(call.id) && frame.at > createdAt,
    )
    const asked = sent(seen, 'tasks/cancel').find(({ params }) => textAt(params, 'taskId') === TASK_ID)
    const wanted = 'tasks/cancel with the id of the task'
    if (told !== undefined) yield judge('byTasks', false, wanted, told.frame, 'unasked')
    else if (asked !== undefined) yield judge('byTasks', true, wanted, asked.frame)
    else yield unmet(undone(seen, 'cancel a task'))
  },
  defects: [
    {
      named: 'cancels the request that made the task',
      breaks: 'byTasks',
      kind: 'unasked',
      replace: client => ({ taskCalls: { ...client.taskCalls, cancelsBy: 'notifications/cancelled' } }),
    },
  ],
})
