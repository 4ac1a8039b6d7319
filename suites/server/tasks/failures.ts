import {
  at,
  attended,
  callAsTask,
  callPlainly,
  createdId,
  finish,
  isToolError,
  judge,
  type Kind,
  type Reply,
  type ServerPeer,
  serverScenario,
  statusIn,
  TASK_HELLO,
  tampers,
  textAt,
  toolsToCall,
  unmet,
  withTasks,
} from '../../../src/suite/server.ts'

const TOOL_ERROR = 'test_task_error'
const PROTOCOL_ERROR = 'test_task_protocol_error'

export default serverScenario({
  title: 'A call that goes wrong makes its task failed, and tasks/result tells it as the plain call would have done',
  needs: { capability: 'tasks.requests.tools.call', since: '2025-11-25' },
  hello: TASK_HELLO,
  claims: {
    protocol: 'tasks.failed.on-jsonrpc-error',
    tool: 'tasks.failed.on-tool-error',
    message: 'tasks.failed.status-message',
    same: 'tasks.result.same-error',
    success: 'tasks.result.success-response',
  },
  run: attended(async function* (peer) {
    const failing = await failingTask(peer, TOOL_ERROR, reply => isToolError(reply))
    if (typeof failing === 'string') {
      yield unmet(failing, 'tool', 'success')
    } else {
      const { polled, result } = failing
      yield judge('tool', statusIn(polled) === 'failed', 'the status failed after a result with isError: true', polled)
      yield judge(
        'success',
        isToolError(result),
        'a result with isError: true, no JSON-RPC error',
        result,
        'wrong-type',
      )
      yield judge('message', explains(polled), 'a statusMessage with a failed task', polled, {
        kind: 'missing',
        subject: TOOL_ERROR,
      })
    }

    const broken = await failingTask(peer, PROTOCOL_ERROR, reply => reply.kind === 'error')
    if (typeof broken === 'string') {
      yield unmet(broken, 'protocol', 'same')
      if (typeof failing === 'string') yield unmet(broken, 'message')
      return
    }
    const { plain, polled, result } = broken
    yield judge('protocol', statusIn(polled) === 'failed', 'the status failed after a JSON-RPC error', polled)
    yield judge(
      'same',
      sameError(plain, result),
      `the error of the plain call: ${errorIn(plain)}`,
      result,
      otherError(plain, result),
    )
    yield judge('message', explains(polled), 'a statusMessage with a failed task', polled, {
      kind: 'missing',
      subject: PROTOCOL_ERROR,
    })
  }),
  defects: [
    {
      named: 'a tool error completes the task',
      breaks: 'tool',
      kind: 'wrong-value',
      also: ['message'],
      replace: withTasks({ ended: outcome => ('error' in outcome ? 'failed' : 'completed') }),
    },
    {
      named: 'a JSON-RPC error completes the task',
      breaks: 'protocol',
      kind: 'wrong-value',
      also: ['message'],
      replace: withTasks({ ended: outcome => (at(outcome, 'isError') === true ? 'failed' : 'completed') }),
    },
    {
      named: 'failed, and nobody knows why',
      breaks: 'message',
      kind: 'missing',
      tamper: tampers.result('tasks/get', ({ statusMessage: _, ...task }) => task),
    },
    {
      named: 'wraps the error in an internal one',
      breaks: 'same',
      kind: 'wrong-code',
      tamper: tampers.answer('tasks/result', message =>
        message.error === undefined ? message : { ...message, error: { code: -32603, message: 'the task failed' } },
      ),
    },
    {
      named: 'turns the error into a result',
      breaks: 'same',
      kind: 'wrong-type',
      tamper: tampers.answer('tasks/result', ({ error, ...message }) =>
        error === undefined ? message : { ...message, result: { content: [], isError: true } },
      ),
    },
    {
      named: 'turns a tool error into a JSON-RPC error',
      breaks: 'success',
      kind: 'wrong-type',
      tamper: tampers.answer('tasks/result', ({ result, ...message }) =>
        at(result, 'isError') === true
          ? { ...message, error: { code: -32603, message: 'the tool failed' } }
          : { ...message, ...(result === undefined ? {} : { result }) },
      ),
    },
  ],
})

interface Failure {
  plain: Reply
  polled: Reply
  result: Reply
}

/** The end of a task of the fixture; or why there was none to see. */
async function failingTask(
  peer: ServerPeer,
  name: string,
  fails: (reply: Reply) => boolean,
): Promise<Failure | string> {
  const tool = (await toolsToCall(peer)).find(one => one.name === name)
  if (tool === undefined) return `fixture ${name} not offered`
  const plain = await callPlainly(peer, tool)
  if (!fails(plain)) return `the control, a plain call of ${name}, did not fail as it should`
  const taskId = createdId(await callAsTask(peer, tool))
  if (taskId === undefined) return `no task came about for ${name}`
  return { plain, ...(await finish(peer, taskId)) }
}

const explains = (reply: Reply): boolean =>
  reply.kind === 'result' && statusIn(reply) === 'failed' && (textAt(reply.result, 'statusMessage') ?? '') !== ''

const errorIn = (reply: Reply): string => (reply.kind === 'error' ? JSON.stringify(reply.error) : reply.kind)

/** How an answer differs from that error. */
function otherError(plain: Reply, other: Reply): Kind {
  if (other.kind !== 'error') return 'wrong-type'
  return plain.kind === 'error' && plain.code === other.code ? 'wrong-value' : 'wrong-code'
}

const sameError = (a: Reply, b: Reply): boolean =>
  a.kind === 'error' &&
  b.kind === 'error' &&
  a.code === b.code &&
  a.message === b.message &&
  JSON.stringify(a.data) === JSON.stringify(b.data)
