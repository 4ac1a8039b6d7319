/** Reading frames, for monitors: what the target says and what we say, of either role. */
import { at, idKey, isObject, isResponse, type Json, type JsonObject, shapeOf, textAt } from '../wire/json-rpc.ts'
import type { Frame } from '../wire/log.ts'

/** The messages that a frame of the target carries: one, or the parts of a batch; none for other frames. */
export function theirMessages(frame: Frame): Json[] {
  if (frame.kind !== 'message' || frame.from !== 'them' || frame.json === undefined) return []
  return Array.isArray(frame.json) ? frame.json : [frame.json]
}

/** The same for what we sent, deliberate faults left out. */
export function ourMessages(frame: Frame): Json[] {
  if (frame.kind !== 'message' || frame.from !== 'us' || frame.json === undefined || frame.intended !== undefined)
    return []
  return Array.isArray(frame.json) ? frame.json : [frame.json]
}

/** The client capabilities that a frame declares: it is our opening request. */
export function declaredIn(frame: Frame): JsonObject | undefined {
  const opening = ourMessages(frame).find(message => at(message, 'method') === 'initialize')
  const declared = at(opening, 'params', 'capabilities')
  return isObject(declared) ? declared : undefined
}

/** The params of the requests of one method that the target sends in a frame. */
export const askedIn = (frame: Frame, method: string): JsonObject[] =>
  theirMessages(frame)
    .filter(message => at(message, 'method') === method && shapeOf(message) === 'request')
    .map(message => at(message, 'params'))
    .map(params => (isObject(params) ? params : {}))

/** Whether this frame is the answer to `initialize` of a server that does not declare the capability. */
export const lacks = (frame: Frame, capability: string): boolean =>
  theirMessages(frame).some(message => {
    const declared = at(message, 'result', 'capabilities')
    const introduces = at(message, 'result', 'protocolVersion') !== undefined
    return introduces && isObject(declared) && declared[capability] === undefined
  })

export interface SeenResult {
  method: string
  params: Json | undefined
  result: Json
  frame: Frame
}

/** For monitors: a function that is shown every frame of a session, and gives the results to our requests of these methods. */
export function followResults(...methods: string[]): (frame: Frame) => SeenResult[] {
  const asked = new Map<string, { method: string; params: Json | undefined }>()
  return frame => {
    for (const message of ourMessages(frame)) {
      const method = textAt(message, 'method')
      if (method === undefined || !methods.includes(method) || shapeOf(message) !== 'request') continue
      asked.set(idKey(at(message, 'id')), { method, params: at(message, 'params') })
    }
    return theirMessages(frame).flatMap(message => {
      const key = idKey(at(message, 'id'))
      const request = isResponse(shapeOf(message)) ? asked.get(key) : undefined
      if (request === undefined) return []
      asked.delete(key)
      const result = at(message, 'result')
      return result === undefined ? [] : [{ ...request, result, frame }]
    })
  }
}
