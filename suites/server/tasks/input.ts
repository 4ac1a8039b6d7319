import {
  abandon,
  callAsTask,
  createdId,
  isTerminal,
  type JsonObject,
  judge,
  type MessageFrame,
  NO_TASK_TOOL,
  pollUntil,
  RELATED_TASK,
  relatedTo,
  type ServerPeer,
  serverScenario,
  statusIn,
  TASK_HELLO,
  type Tamper,
  type TaskTool,
  tampers,
  textAt,
  toolsToCall,
  unmet,
  withTasks,
} from '../../../src/suite/server.ts'

const FIXTURE = 'test_task_input'
/** Tools of which we do not know whether they ask; each of them may take its time. */
const MAX_TRIED = 2

export default serverScenario({
  title: 'A task that needs input says so, asks under the name of the task, and goes on when it has its answer',
  needs: { capability: 'tasks.requests.tools.call', since: '2025-11-25' },
  session: 'own',
  hello: TASK_HELLO,
  claims: {
    status: 'tasks.input.moves-to-input-required',
    marked: 'tasks.input.request-has-related-task',
    same: 'tasks.related.nested-shares-id',
    all: 'tasks.related.on-all-messages',
    leaves: 'tasks.input.leaves-input-required',
  },
  async *run(peer) {
    const stream = peer.via === 'http' ? await peer.listen() : undefined
    const tools = (await toolsToCall(peer)).filter(({ support }) => support !== 'forbidden')
    const fixture = tools.filter(({ name }) => name === FIXTURE)
    const tried = fixture.length > 0 ? fixture : tools.slice(0, MAX_TRIED)
    for (const tool of tried) {
      const asking = await untilItAsks(peer, tool)
      if (asking === undefined) continue
      const { taskId, request, frame, answer, ended } = asking
      const meanwhile = await peer.request('tasks/get', { taskId })
      const related = textAt(request, 'params', '_meta', RELATED_TASK, 'taskId')
      yield judge('status', statusIn(meanwhile) === 'input_required', 'input_required while it waits', meanwhile)
      yield judge('marked', related !== undefined, `a taskId under ${RELATED_TASK} in the request`, frame, 'missing')
      yield judge('all', related !== undefined, `a taskId under ${RELATED_TASK} in the request`, frame, 'missing')
      if (related === undefined) yield unmet('the request names no task', 'same')
      else yield judge('same', related === taskId, `the id of the task, ${taskId}`, frame)
      answer()
      // A tool may ask once more: that is another question, and no stay in the old one.
      const moved = (status: string | undefined): boolean => status !== 'input_required' || asking.asked() > 1
      const later = await pollUntil(peer, taskId, moved)
      yield judge('leaves', moved(statusIn(later)), 'another status once the answer is there', later, 'ignored')
      if (!isTerminal(statusIn(later))) await abandon(peer, taskId)
      else await ended
      stream?.close()
      return
    }
    yield unmet(tools.length === 0 ? NO_TASK_TOOL : `${tried.map(({ name }) => name).join(', ')} asked for no input`)
  },
  defects: [
    {
      named: 'works on while it waits for the user',
      breaks: 'status',
      kind: 'wrong-value',
      replace: withTasks({ whileAsking: 'working' }),
    },
    {
      named: 'asks without saying for which task',
      breaks: 'marked',
      kind: 'missing',
      also: ['all'],
      tamper: onRequest(({ _meta: _, ...params }) => params),
    },
    {
      named: 'says it under a key of its own',
      breaks: 'all',
      kind: 'missing',
      also: ['marked'],
      tamper: onRequest(params => ({ ...params, _meta: { 'com.example/task': { taskId: 'x' } } })),
    },
    {
      named: 'asks for a task of the request itself',
      breaks: 'same',
      kind: 'wrong-value',
      tamper: onRequest(params => ({ ...params, _meta: { [RELATED_TASK]: { taskId: 'of-the-elicitation' } } })),
    },
    { named: 'stays in input_required', breaks: 'leaves', kind: 'ignored', replace: staying },
  ],
  variants: [{ named: 'goes on so quickly that it has ended', replace: { sleep: () => Promise.resolve() } }],
})

interface Asking {
  taskId: string
  request: JsonObject
  frame: MessageFrame
  answer(): void
  /** how many requests came so far */
  asked(): number
  ended: PromiseLike<unknown>
}

/** Runs the tool as a task until it asks us for something; undefined where it ends, or takes too long, before. */
async function untilItAsks(peer: ServerPeer, tool: TaskTool): Promise<Asking | undefined> {
  let count = 0
  let answer = (): void => {}
  let first: { request: JsonObject; frame: MessageFrame } | undefined
  const asks = new Promise<void>(resolve => {
    for (const [method, result] of Object.entries(answersTo(tool))) {
      peer.on(method, (request, frame) => {
        count += 1
        const reply = { result: { ...result, ...relatedTo(request) } }
        if (count > 1) return reply
        first = { request, frame }
        resolve()
        return new Promise(answers => {
          answer = () => answers(reply)
        })
      })
    }
  })
  const taskId = createdId(await callAsTask(peer, tool))
  if (taskId === undefined) return undefined
  // Input is asked for where tasks/result waits (basic/utilities/tasks#input-required-status).
  const ended = peer.request('tasks/result', { taskId })
  const over = pollUntil(peer, taskId, status => isTerminal(status) || count > 0)
  await Promise.race([asks, ended, over])
  if (first === undefined) await abandon(peer, taskId)
  return first === undefined ? undefined : { taskId, ...first, answer, asked: () => count, ended }
}

/** The fixture gets what it asks for; of others we do not know what they would do with it. */
const answersTo = ({ name }: TaskTool): Record<string, JsonObject> => ({
  'elicitation/create': name === FIXTURE ? { action: 'accept', content: { name: 'Ada' } } : { action: 'decline' },
  'sampling/createMessage': { role: 'assistant', content: { type: 'text', text: 'Hello.' }, model: 'none' },
})

function onRequest(rewrite: (params: JsonObject) => JsonObject): Tamper {
  return tampers.message(message =>
    message.method === 'elicitation/create' ? { ...message, params: rewrite(message.params as JsonObject) } : message,
  )
}

/** Once it has asked, no other status is told. */
function staying() {
  return withTasks({ afterInput: 'input_required', mayMove: (from: string) => from === 'working' })
}
