/** The requests of a server of its own, which wait for the answer of the client. */
import { clock } from '../../wire/clock.ts'
import { codes, failure, type JsonObject } from '../../wire/json-rpc.ts'

export type WaitingAnswers = Map<string, (answer: JsonObject) => void>

export interface Question {
  message: JsonObject
  timeoutMs: number
  /** Sends the request. */
  send(message: JsonObject): void
  /** It was given up: who was asked may be told. */
  onGiveUp(why: string): void
  /** Is handed the function that gives it up. Returns the function that ends that. */
  whileOpen(giveUp: (why: string) => void): () => void
}

/** Resolves with the answer; with an error, where it was given up. A late answer finds nobody waiting, and is ignored. */
export function askClient(waiting: WaitingAnswers, question: Question): Promise<JsonObject> {
  const key = String(question.message.id)
  return new Promise(resolve => {
    const giveUp = (why: string): void => {
      waiting.delete(key)
      question.onGiveUp(why)
      settle(failure(question.message.id, codes.internalError, why))
    }
    const takeBack = clock().after(question.timeoutMs, () => giveUp('no answer in time'), 'idle')
    const settle = (answer: JsonObject): void => {
      takeBack()
      end()
      resolve(answer)
    }
    waiting.set(key, settle)
    const end = question.whileOpen(giveUp)
    question.send(question.message)
  })
}

/** An answer has come. */
export function settleQuestion(waiting: WaitingAnswers, answer: JsonObject): void {
  const key = String(answer.id)
  waiting.get(key)?.(answer)
  waiting.delete(key)
}
