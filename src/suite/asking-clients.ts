/** What our server asks a client, one question after the other, and what the client has said of itself. */
import type { Channel } from '../peers/double/double.ts'
import type { Reply } from '../peers/reply.ts'
import { at, isObject, type Json, type JsonObject, textAt } from '../wire/json-rpc.ts'
import type { Frame } from '../wire/log.ts'
import type { ClientRun } from './client-scenario.ts'
import { sent } from './seen.ts'

export interface Question {
  method: string
  params?: JsonObject
  /** it goes against what the client has declared, or is malformed: on purpose */
  odd?: boolean
}

export type Answers<Name extends string> = Partial<Record<Name, Reply>>

/** A client that was silent so often is asked no more: it would only be waited for. */
const ENOUGH = 2

/** Asks in turn, and writes the answers down as they come: the client may end in between. */
export async function askInTurn<Name extends string>(
  channel: Pick<Channel, 'ask'>,
  answers: Answers<Name>,
  questions: Partial<Record<Name, Question>>,
): Promise<void> {
  let silent = 0
  for (const [name, question] of Object.entries(questions) as [Name, Question | undefined][]) {
    if (question === undefined) continue
    const { method, params, odd } = question
    const reply = await channel.ask(method, params, odd === true ? { intended: 'fault' } : {})
    answers[name] = reply
    if (reply.kind === 'none') silent += 1
    if (silent === ENOUGH) return
  }
}

/** The capability that the client has declared, by its path; undefined where it has not. */
export function declared(run: ClientRun<unknown>, ...path: string[]): JsonObject | undefined {
  const value = at(run.conversations[0]?.capabilities, ...path)
  return isObject(value) ? value : undefined
}

/** The evidence for what it has declared and what not. */
export const declaration = (run: ClientRun<unknown>, text: string): { text: string; frames: readonly Frame[] } => ({
  text,
  frames: sent(run, 'initialize')
    .slice(0, 1)
    .map(({ frame }) => frame),
})

export const codeOf = (reply: Reply): number | undefined => (reply.kind === 'error' ? reply.code : undefined)

/** A member of a result. */
export const inResult = (reply: Reply | undefined, ...path: string[]): Json | undefined =>
  reply?.kind === 'result' ? at(reply.result, ...path) : undefined

export const actionOf = (reply: Reply | undefined): string | undefined =>
  reply?.kind === 'result' ? textAt(reply.result, 'action') : undefined
