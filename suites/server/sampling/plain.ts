import {
  at,
  callAsking,
  isObject,
  judge,
  serverScenario,
  tampers,
  textAt,
  unmet,
  WILLING,
} from '../../../src/suite/server.ts'

const PROMPT = 'What is the capital of France?'

export default serverScenario({
  title: 'A tool asks the model of the client with its prompt as a user message',
  hello: WILLING,
  needs: { capability: 'tools', fixture: { tool: 'test_sampling' } },
  claims: { asks: 'sampling.request.shape' },
  async *run(peer) {
    const call = { name: 'test_sampling', arguments: { prompt: PROMPT } }
    const { reply, asked } = await callAsking(peer, call, 'sampling/createMessage', () => ({
      error: { code: -1, message: 'User rejected sampling request' },
    }))
    if (asked[0] === undefined) {
      yield unmet(`test_sampling did not ask: ${reply.kind}`)
      return
    }
    const { params, frame } = asked[0]
    const messages = at(params, 'messages')
    const last = Array.isArray(messages) ? messages.at(-1) : undefined
    const content = at(last, 'content')
    const block = Array.isArray(content) ? content[0] : content
    const asks = at(last, 'role') === 'user' && textAt(block, 'text')?.includes(PROMPT) === true
    // That maxTokens is there, and the types of all members, is a matter of monitors/schema.
    yield judge('asks', asks, 'in the end a user message that has the prompt', frame, 'missing')
  },
  defects: [
    {
      named: 'sends the prompt as a system prompt',
      breaks: 'asks',
      kind: 'missing',
      tamper: rewrite(params => ({ ...params, messages: [], systemPrompt: PROMPT })),
    },
  ],
  variants: [
    {
      named: 'does not ask',
      tamper: tampers.message(message => (message.method === 'sampling/createMessage' ? [] : message)),
    },
    { named: 'a client of 2025-06-18', spec: '2025-06-18', replace: {} },
  ],
})

function rewrite(change: (params: object) => object) {
  return tampers.message(message =>
    message.method === 'sampling/createMessage' && isObject(message.params)
      ? { ...message, params: change(message.params) as Record<string, never> }
      : message,
  )
}
