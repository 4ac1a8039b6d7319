/** The answers to the server's requests: each is made beside the others, and beside what the client itself waits for. */
import { idKey, type Json, type JsonObject } from '../../wire/json-rpc.ts'
import type { AnswerContext, Asking } from './answer-context.ts'
import { serve } from './serve.ts'

export interface Answers {
  answer(message: JsonObject): Promise<void>
  /** The server does not want the answer to that request any more. */
  cancel(id: Json | undefined): void
}

export function createAnswers(context: AnswerContext, session: Asking): Answers {
  const { policies, clock, crash } = context
  const running = new Map<string, { cancelled: boolean }>()
  return {
    async answer(message) {
      const key = idKey(message.id)
      const work = { cancelled: false }
      running.set(key, work)
      try {
        if (policies.drops(message)) return
        if (!policies.answersWhilePending) await session.whenIdle()
        const delay = policies.delay(message)
        if (delay > 0) await clock.sleep(delay)
        const { response, afterwards } = await respond(context, session, message, () => work.cancelled)
        const sent = work.cancelled ? policies.onCancelled(response) : response
        if (sent !== undefined) await session.send(sent, message)
        afterwards?.()
      } catch (problem) {
        crash(problem)
      } finally {
        running.delete(key)
      }
    },
    cancel(id) {
      const work = running.get(idKey(id))
      if (work !== undefined && policies.stopsWhenCancelled) work.cancelled = true
    },
  }
}

interface Response {
  response: JsonObject | undefined
  /** runs when that has been sent */
  afterwards?: (() => void) | undefined
}

/** The whole answer; `isOver`: the server does not want it any more. */
async function respond(
  context: AnswerContext,
  session: Asking,
  message: JsonObject,
  isOver: () => boolean,
): Promise<Response> {
  const { policies } = context
  if (!policies.serves(String(message.method), session.agreement.declared))
    return { response: policies.onUnknownRequest(message) }
  try {
    const answer = await serve(context, session, message, isOver)
    if ('error' in answer) return { response: { jsonrpc: '2.0', id: message.id, error: answer.error } }
    const result = policies.relates(answer.result, message)
    return { response: { jsonrpc: '2.0', id: message.id, result }, afterwards: answer.afterwards }
  } catch (problem) {
    return { response: policies.onException(problem, message) }
  }
}
