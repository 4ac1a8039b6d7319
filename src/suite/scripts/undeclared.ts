/** A client that offers nothing, and is asked for everything. */
import { type Answers, askInTurn, type Question } from '../asking-clients.ts'
import { script } from '../client-scenario.ts'
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
