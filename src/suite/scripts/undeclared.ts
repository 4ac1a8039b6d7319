/** A client that offers nothing, and is asked for everything. */

import type { Outcome, Yielded } from '../../suite.ts'
import type { JsonObject } from '../../wire/json-rpc.ts'
import { type Answers, askInTurn, codeOf, declaration, declared, type Question } from '../asking-clients.ts'
import { type ClientRun, script } from '../client-scenario.ts'
import { undone } from '../seen.ts'
import { FORM, PROMPT } from './plain-questions.ts'

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
      // At the same time: nobody who is silent has to be waited for three times.
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
    yield { unmet: undone(seen, 'list the tools') }
  } else if (declared(seen, name) !== undefined) {
    const got = declaration(seen, `it declares ${name}, though it was told to declare nothing`)
    for (const claim of ['declared', 'unsupported'] as const)
      yield { claim, outcome: 'n/a', expected: `a client without ${name}`, got }
  } else if (reply.kind === 'result') {
    yield { claim: 'declared', outcome: 'breaks', expected: words.result, got: reply }
    yield { unmet: `it serves ${name}, though it does not declare it`, claims: ['unsupported'] }
  } else {
    yield { claim: 'declared', outcome: 'holds', expected: words.result, got: reply }
    yield { claim: 'unsupported', outcome: outcomeOf(codeOf(reply)), expected: words.code, got: reply }
  }
}

/** What an undeclared request is refused with otherwise. */
export const refusedBy = (code: number) => ({
  onUnknownRequest: ({ id }: JsonObject): JsonObject => ({
    jsonrpc: '2.0',
    id,
    error: { code, message: 'Not here' },
  }),
})

/** One request is served although nothing of it is declared. */
export const servedAnyway = (method: string, result: JsonObject) => ({
  onUnknownRequest: ({ id, ...asked }: JsonObject): JsonObject =>
    asked.method === method
      ? { jsonrpc: '2.0', id, result }
      : { jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } },
})
