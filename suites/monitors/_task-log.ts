/** For monitors: the descriptions of tasks that the target sends, and what both sides declare of tasks. */
import {
  at,
  type Frame,
  idKey,
  isObject,
  type Json,
  type JsonObject,
  type Kind,
  ourMessages,
  textAt,
  theirMessages,
} from '../../src/suite/monitor.ts'

/** A description of a task. */
export interface Told {
  task: JsonObject
  /** the number of a frame: what was known before that was known to the server, too, when it described the task */
  from: number
  by: 'created' | 'answer' | 'notification'
}

/** A function that is shown every frame of a session, and gives the descriptions of tasks in it. */
export function followTasks(via: 'stdio' | 'http'): (frame: Frame) => Told[] {
  const asked = new Map<string, { method: string; seq: number }>()
  return frame => {
    for (const message of ourMessages(frame)) {
      const method = textAt(message, 'method')
      if (method !== undefined) asked.set(idKey(at(message, 'id')), { method, seq: frame.seq })
    }
    return theirMessages(frame).flatMap((message): Told[] => {
      if (at(message, 'method') === 'notifications/tasks/status') {
        const task = at(message, 'params')
        // Streams have no order among each other; what comes on stdout has one.
        return isObject(task) ? [{ task, from: via === 'stdio' ? frame.seq : 0, by: 'notification' }] : []
      }
      const request = asked.get(idKey(at(message, 'id')))
      const result = at(message, 'result')
      return request === undefined || !isObject(result) ? [] : describedIn(request.method, request.seq, result)
    })
  }
}

function describedIn(method: string, from: number, result: JsonObject): Told[] {
  switch (method) {
    case 'tasks/get':
    case 'tasks/cancel':
      return [{ task: result, from, by: 'answer' }]
    case 'tasks/list':
      return Array.isArray(result.tasks)
        ? result.tasks.filter(isObject).map(task => ({ task, from, by: 'answer' }))
        : []
    case 'tools/call':
    case 'sampling/createMessage':
    case 'elicitation/create':
      return isObject(result.task) ? [{ task: result.task, from, by: 'created' }] : []
    default:
      return []
  }
}

/** The capabilities in a message of the handshake: a client sends them with its request, a server with its answer. */
export function capabilitiesIn(message: Json): JsonObject | undefined {
  const isOpening = at(message, 'method') === 'initialize'
  const declared = at(message, isOpening ? 'params' : 'result', 'capabilities')
  const isAnswer = at(message, 'result', 'protocolVersion') !== undefined
  return isObject(declared) && (isOpening || isAnswer) ? declared : undefined
}

/** How a request asks to become a task: an object, with a time in milliseconds or none. */
export function isWish(task: Json): boolean {
  const ttl = at(task, 'ttl')
  return isObject(task) && (ttl === undefined || (typeof ttl === 'number' && ttl >= 0))
}

/** What is wrong with such a member. */
export const wishFault = (task: Json): Kind => (typeof at(task, 'ttl') === 'number' ? 'wrong-value' : 'wrong-type')

/** Whether the target says in this frame what it can do, and has no tasks. */
export const lacksTasks = (frame: Frame): boolean =>
  theirMessages(frame).some(message => {
    const declared = capabilitiesIn(message)
    return declared !== undefined && declared.tasks === undefined
  })
