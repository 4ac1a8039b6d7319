/**
 * Brings answers to their requests, and the target's own requests to our handlers. Lenient where
 * the target errs, so that one fault (a converted id) is not reported as another one (silence).
 */
import { at, idKey, type Json, type JsonObject, parseJson, type RequestId, shapeOf } from '../wire/json-rpc.ts'
import type { MessageFrame } from '../wire/log.ts'

export type Answer = { result: JsonObject } | { error: { code: number; message: string; data?: Json } } | 'silence'
export type Handler = (message: JsonObject, frame: MessageFrame) => Answer | Promise<Answer>

export interface Correlator {
  /** Calls `settle` with the message that answers `id`. Returns the function that stops waiting. */
  expect(id: RequestId, settle: (frame: MessageFrame) => void, match?: 'lenient' | 'exact'): () => void
  receive(frame: MessageFrame): void
}

/** `handlerOf` finds who answers a request or sees a notification; what is nobody's is refused, or passed over. */
export function createCorrelator(
  respond: (id: Json, answer: Exclude<Answer, 'silence'>) => void,
  handlerOf: (method: string) => Handler | undefined = () => undefined,
): Correlator {
  const waiting = new Map<string, Expected>()
  const serve = async (message: JsonObject, frame: MessageFrame): Promise<void> => {
    const handler = handlerOf(String(message.method))
    const id = message.id
    if (handler === undefined) {
      if (id !== undefined && id !== null) respond(id, METHOD_NOT_FOUND)
      return
    }
    const answer = await handler(message, frame)
    if (answer !== 'silence' && id !== undefined) respond(id, answer)
  }
  const receive = (frame: MessageFrame, json: Json | undefined): void => {
    const shape = shapeOf(json)
    if (shape === 'batch') for (const part of json as Json[]) receive(frame, part)
    else if (shape === 'request' || shape === 'notification') void serve(json as JsonObject, frame)
    else if (shape === 'result' || shape === 'error') {
      const key = answeredBy(waiting, at(json, 'id'))
      const pending = key === undefined ? undefined : waiting.get(key)
      if (key === undefined || pending === undefined) return
      waiting.delete(key)
      pending.settle(frame)
    }
  }
  return {
    expect(id, settle, match = 'lenient') {
      const key = idKey(id)
      const entry = { id, settle, match }
      waiting.set(key, entry)
      return () => {
        if (waiting.get(key) === entry) waiting.delete(key)
      }
    },
    // Bytes that are no UTF-8 cannot be judged as JSON, but whose answer they are can mostly be guessed.
    receive: frame => receive(frame, frame.flaw === 'not-utf8' ? parseJson(frame.text) : frame.json),
  }
}

export const METHOD_NOT_FOUND = { error: { code: -32601, message: 'Method not found' } } as const

interface Expected {
  id: RequestId
  settle: (frame: MessageFrame) => void
  match: 'lenient' | 'exact'
}

/** The key of the request that an answer with this id is for. */
function answeredBy(waiting: ReadonlyMap<string, Expected>, id: Json | undefined): string | undefined {
  const exact = idKey(id)
  if (waiting.has(exact)) return exact
  // "7" for 7: surely meant for that request, and surely wrong; the scenario compares ids.
  const lenient = [...waiting].filter(([, pending]) => pending.match === 'lenient')
  const loose = lenient.find(([, pending]) => String(pending.id) === String(id))
  if (loose !== undefined) return loose[0]
  // An error without readable id can only be about the single request that is open.
  return lenient.length === 1 && (id === undefined || id === null) ? lenient[0]?.[0] : undefined
}
