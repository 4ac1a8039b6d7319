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
  title: 'A tool asks the model of the client with its prompt as a user message and with maxTokens',
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
    yield judge(
      'asks',
      asks && typeof at(params, 'maxTokens') === 'number',
      'sampling/createMessage with a number maxTokens and, in the end, a user message that has the prompt',
      frame,
      asks && at(params, 'maxTokens') !== undefined ? 'wrong-type' : 'missing',
    )
  },
  defects: [
    {
      named: 'asks without maxTokens',
      breaks: 'asks',
      kind: 'missing',
      tamper: rewrite(({ maxTokens: _, ...rest }) => rest),
    },
    {
      named: 'maxTokens as text',
      breaks: 'asks',
      kind: 'wrong-type',
      tamper: rewrite(params => ({ ...params, maxTokens: '100' })),
    },
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

function rewrite(change: (params: object & { maxTokens?: unknown }) => object) {
  return tampers.message(message =>
    message.method === 'sampling/createMessage' && isObject(message.params)
      ? { ...message, params: change(message.params) as Record<string, never> }
      : message,
  )
}
