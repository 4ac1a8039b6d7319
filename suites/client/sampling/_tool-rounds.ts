/** A client whose model always wants tools: it is asked once where it has to use one, and then round after round. */
import { at, isObject, type Json, type Reply, script, textAt } from '../../../src/suite/client.ts'
import { QUESTION, resultOf, useOf, withTool } from './_tool-questions.ts'

/** Whoever takes part for so long has no limit of its own that matters. */
export const MANY_ROUNDS = 50

export interface Rounds {
  required?: Reply
  /** how often the model has used tools, and what ended it */
  rounds: number
  last?: Reply
}

/** The uses of tools in an answer of the model. */
export function usesIn(reply: Reply | undefined): Json[] {
  const content = reply?.kind === 'result' ? at(reply.result, 'content') : undefined
  const blocks = Array.isArray(content) ? content : content === undefined ? [] : [content]
  return blocks.filter(block => at(block, 'type') === 'tool_use')
}

export const ROUNDS = script({
  drive: {
    name: 'sampling-tool-rounds',
    client: {
      sampling: {
        tools: true,
        answer: {
          role: 'assistant',
          content: [useOf('use-1', 'Paris'), useOf('use-2', 'London')],
          stopReason: 'toolUse',
        },
      },
    },
    steps: [{ request: 'tools/list' }],
  },
  notes: (): Rounds => ({ rounds: 0 }),
  play(server, notes) {
    server.on('tools/list', async call => {
      const { sampling } = call.conversation.capabilities
      if (!isObject(sampling) || !isObject(sampling.tools)) return { result: { tools: [] } }
      notes.required = await call.ask('sampling/createMessage', withTool('required'))
      const messages: Json[] = [QUESTION]
      while (notes.rounds < MANY_ROUNDS && !server.isOver) {
        const reply = await call.ask('sampling/createMessage', withTool(undefined, [...messages]))
        notes.last = reply
        const uses = usesIn(reply)
        if (uses.length === 0) break
        notes.rounds += 1
        messages.push({ role: 'assistant', content: uses })
        messages.push({ role: 'user', content: uses.map(use => resultOf(textAt(use, 'id') ?? '')) })
      }
      return { result: { tools: [] } }
    })
  },
})
