import {
  abandon,
  at,
  attended,
  callAsTask,
  createdId,
  judge,
  type Kind,
  mediaType,
  memberFault,
  NO_TASK_TOOL,
  POLLING_FAULTS,
  RELATED_TASK,
  type Reply,
  serverScenario,
  TASK_HELLO,
  type Tamper,
  tampers,
  taskTool,
  textAt,
  unmet,
  withTasks,
} from '../../../src/suite/server.ts'

const STATUSES = ['working', 'input_required', 'completed', 'failed', 'cancelled']
/** Describing a task takes no time; what has not come by then is kept back. */
const AT_ONCE_MS = 5_000
const UNKNOWN = '6f1c2a52-0c1e-4f0b-9d57-5b1a6f0e9c12'

export default serverScenario({
  title: 'tasks/get describes the task that taskId names, whatever the metadata of the request say',
  needs: { capability: 'tasks.requests.tools.call', since: '2025-11-25' },
  hello: TASK_HELLO,
  claims: {
    shape: 'tasks.get.result-shape',
    truth: 'tasks.related.param-is-truth',
    ignores: 'tasks.related.receiver-ignores',
    plain: 'tasks.input.no-sse-for-get',
  },
  run: attended(async function* (peer) {
    const tool = await taskTool(peer, 'test_task_slow')
    const [a, b] =
      tool === undefined ? [] : [createdId(await callAsTask(peer, tool)), createdId(await callAsTask(peer, tool))]
    if (a === undefined || b === undefined) {
      yield unmet(tool === undefined ? NO_TASK_TOOL : `no task came about for ${tool.name}`)
      return
    }
    const withinMs = Math.min(AT_ONCE_MS, peer.timeouts.replyMs)
    const got = await peer.request('tasks/get', { taskId: a })
    yield judge('shape', isAbout(got, a), 'taskId and status of the task, right in the result', got, taskFault(got))
    if (got.http !== undefined) {
      const usual = await peer.request('ping')
      // A server that knows event streams only has no other way to answer.
      const streams = isStream(got) && !isStream(usual) ? 'breaks' : isStream(got) ? 'bends' : 'holds'
      yield judge('plain', streams, 'an answer without an event stream', got, 'wrong-type')
    }
    if (isAbout(got, a)) {
      const ask = (other: string): PromiseLike<Reply> =>
        peer.request(
          'tasks/get',
          { taskId: a },
          { meta: { [RELATED_TASK]: { taskId: other } }, withinMs, intended: 'fault' },
        )
      const mixed = await ask(b)
      yield judge(
        'truth',
        isAbout(mixed, a),
        'the task that taskId names, not the one in the metadata',
        mixed,
        taskFault(mixed),
      )
      const odd = await ask(UNKNOWN)
      yield judge('ignores', isAbout(odd, a), 'metadata that are ignored', odd, taskFault(odd))
    } else {
      yield unmet('the control, tasks/get without metadata, did not describe the task', 'truth', 'ignores')
    }
    await abandon(peer, a, b)
  }),
  defects: [
    ...POLLING_FAULTS,
    {
      named: 'looks into the metadata for the task',
      breaks: 'truth',
      kind: 'wrong-value',
      also: ['ignores'],
      replace: withTasks({ target: params => at(params, '_meta', RELATED_TASK, 'taskId') ?? params.taskId }),
    },
    {
      named: 'refuses unknown tasks in the metadata',
      breaks: 'ignores',
      kind: 'refused',
      replace: withTasks({
        target: params => (at(params, '_meta', RELATED_TASK, 'taskId') === UNKNOWN ? undefined : params.taskId),
      }),
    },
    {
      named: 'keeps answers to requests with metadata for tasks/result',
      breaks: 'ignores',
      kind: 'silent',
      also: ['truth'],
      tamper: silentToRelated(),
    },
    {
      named: 'answers a poll by a stream, and only that',
      breaks: 'plain',
      kind: 'wrong-type',
      via: 'http',
      replace: { answerBy: ({ method }) => (method === 'ping' ? 'json' : 'sse') },
    },
  ],
  variants: [
    { named: 'answers everything by a stream', via: 'http', bends: ['plain'], replace: { answerBy: () => 'sse' } },
    { named: 'a member of its own', tamper: tampers.result('tasks/get', task => ({ ...task, 'x-own': 1 })) },
  ],
})

function isAbout(reply: Reply, taskId: string): boolean {
  return (
    reply.kind === 'result' &&
    textAt(reply.result, 'taskId') === taskId &&
    STATUSES.includes(textAt(reply.result, 'status') ?? '') &&
    at(reply.result, 'task') === undefined
  )
}

function taskFault(reply: Reply): Kind {
  if (reply.kind !== 'result') return memberFault(reply)
  const whole = ['taskId', 'status'].every(member => at(reply.result, member) !== undefined)
  return whole ? 'wrong-value' : 'missing'
}

const isStream = ({ http }: Reply): boolean => http !== undefined && mediaType(http.contentType) === 'text/event-stream'

function silentToRelated(): Tamper {
  return tampers.message((message, cause) =>
    cause?.method === 'tasks/get' && at(cause, 'params', '_meta', RELATED_TASK) !== undefined ? undefined : message,
  )
}
