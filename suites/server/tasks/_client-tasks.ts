/** For scenarios in which the server gives us a task: a client that takes the request, and plays a script with it. */
import {
  at,
  isTerminal,
  type JsonObject,
  type MessageFrame,
  ODD_CURSOR,
  playTask,
  type ServerPeer,
  type TaskStatus,
  withRelatedTask,
} from '../../../src/suite/server.ts'

/** What becomes of the task. */
export interface Script {
  /** the status at each poll, the last one ever after */
  statuses: readonly TaskStatus[]
  /** a status notification right after the first poll, and none after that */
  notifies?: true
  /** the first tasks/result while the task needs input is answered by an internal error */
  refusesResult?: true
  /** the pollInterval, in milliseconds */
  intervalMs?: number
  /** the task is not known any more when it is asked for */
  forgets?: true
}

/** What the server did with it. */
export interface Played {
  asked: boolean
  /** the request came with a task */
  asTask: boolean
  polls: MessageFrame[]
  /** each tasks/result, with the status that the server knew of then */
  fetches: { frame: MessageFrame; status: string }[]
  refused: boolean
  /** each tasks/list */
  lists: MessageFrame[]
}

/** What we suggest as the pause between two polls, where nothing is measured by it: every script is played in full. */
const SHORT_INTERVAL_MS = 20
export const ANSWER = 'Hello from the client.'

const completion: JsonObject = { role: 'assistant', content: { type: 'text', text: ANSWER }, model: 'none' }
const error = (code: number, message: string) => ({ error: { code, message } })

/** Takes the next sampling request: as a task where it asks for one, else plainly. */
export function play(peer: ServerPeer, script: Script): Played {
  const played: Played = { asked: false, asTask: false, polls: [], fetches: [], refused: false, lists: [] }
  const { statuses, intervalMs = SHORT_INTERVAL_MS } = script
  const task = playTask(statuses, intervalMs)
  const outcome = () =>
    task.status === 'completed'
      ? { result: withRelatedTask(task.taskId, completion) }
      : error(-1, 'the user rejected it')
  peer.on('sampling/createMessage', message => {
    played.asked = true
    played.asTask = at(message, 'params', 'task') !== undefined
    if (!played.asTask || !declares(peer)) return { result: completion }
    return { result: { task: task.describe() } }
  })
  peer.on('tasks/get', async (_message, frame) => {
    played.polls.push(frame)
    if (script.forgets === true) return error(-32602, 'Failed to retrieve task: Task not found')
    task.poll()
    if (script.notifies === true && played.polls.length === 1) {
      const told = peer.notify('notifications/tasks/status', task.describe())
      if (peer.via === 'stdio') await told
    }
    return { result: task.describe() }
  })
  peer.on('tasks/result', async (_message, frame) => {
    played.fetches.push({ frame, status: task.status })
    if (script.forgets === true) return error(-32602, 'Failed to retrieve task: Task not found')
    if (script.refusesResult === true && task.status === 'input_required' && !played.refused) {
      played.refused = true
      return error(-32603, 'Internal error')
    }
    // Somebody who waits here need not poll: the script goes to its end meanwhile.
    if (!isTerminal(task.status)) await peer.pause(intervalMs)
    task.finish()
    return outcome()
  })
  peer.on('tasks/list', (message, frame) => {
    played.lists.push(frame)
    const first = at(message, 'params', 'cursor') === undefined
    return { result: first ? { tasks: [task.describe()], nextCursor: ODD_CURSOR } : { tasks: [] } }
  })
  peer.on('tasks/cancel', () => {
    if (!task.cancel()) return error(-32602, 'Cannot cancel task: it has ended')
    return { result: task.describe() }
  })
  return played
}

const declares = ({ hello }: ServerPeer): boolean =>
  at(hello.params, 'capabilities', 'tasks', 'requests', 'sampling', 'createMessage') !== undefined
