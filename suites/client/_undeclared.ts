/** A client that declares no capabilities, and gets a request for each of them. */

import {
  type Answers,
  askInTurn,
  type ClientRun,
  codeOf,
  codes,
  declaration,
  declared,
  type JsonObject,
  judge,
  type Outcome,
  type Question,
  refusal,
  refusalFault,
  script,
  success,
  undone,
  unmet,
  type Yielded,
} from '../../src/suite/client.ts'
import { FORM, PROMPT } from './_plain-questions.ts'

export type Undeclared = Answers<'roots' | 'sampling' | 'elicitation'>

export const UNDECLARED = script({
  drive: { name: 'nothing-declared', client: {}, steps: [{ request: 'tools/list' }] },
  notes: (): Undeclared => ({}),
  play(server, notes) {
    server.on('tools/list', async call => {
      // A driver that declares them all the same is asked what it may be asked.
      const odd = (name: string): boolean => call.conversation.capabilities[name] === undefined
      const ask = async (name: keyof Undeclared, question: Question): Promise<void> =>
        askInTurn(call, notes, { [name]: { ...question, odd: odd(name) } })
      // At the same time, so that a silent client is waited for only once.
      await Promise.all([
        ask('roots', { method: 'roots/list' }),
        ask('sampling', { method: 'sampling/createMessage', params: PROMPT }),
        ask('elicitation', { method: 'elicitation/create', params: FORM }),
      ])
      return { result: { tools: [] } }
    })
  },
})

/** What a client does with a question for which it has declared nothing: no result, and an error of the right kind. */
export function* judgeUndeclared(
  seen: ClientRun<Undeclared>,
  name: keyof Undeclared,
  words: { result: string; code: string },
  /** how good an error is, by its code; undefined: there was no answer */
  outcomeOf: (code: number | undefined) => Outcome,
): Generator<Yielded<'declared' | 'unsupported'>> {
  const reply = seen.notes[name]
  if (reply === undefined) {
    yield unmet(undone(seen, 'list the tools'))
  } else if (declared(seen, name) !== undefined) {
    const got = declaration(seen, `it declares ${name}, though it was told to declare nothing`)
    for (const claim of ['declared', 'unsupported'] as const) yield judge(claim, 'n/a', `a client without ${name}`, got)
  } else if (reply.kind === 'result') {
    yield judge('declared', 'breaks', words.result, reply, 'accepted')
    yield unmet(`it serves ${name}, though it does not declare it`, 'unsupported')
  } else {
    yield judge('declared', 'holds', words.result, reply)
    yield judge('unsupported', outcomeOf(codeOf(reply)), words.code, reply, refusalFault(reply))
  }
}

/** What an undeclared request is refused with otherwise. */
export const refusedBy = (code: number) => ({ onUnknownRequest: refusal(code) })

/** One request is served although nothing of it is declared. */
export const servedAnyway = (method: string, result: JsonObject) => ({
  onUnknownRequest: (asked: JsonObject): JsonObject =>
    (asked.method === method ? success(result) : refusal(codes.methodNotFound))(asked),
})
