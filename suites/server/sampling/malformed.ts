import {
  callAsking,
  type JsonObject,
  judge,
  serverScenario,
  succeeded,
  unmet,
  WILLING,
} from '../../../src/suite/server.ts'

const answer = (content: JsonObject): JsonObject => ({
  role: 'assistant',
  model: 'test-model',
  stopReason: 'endTurn',
  content,
})

/** Each differs in one thing from content that is right. */
const WRONG: [what: string, content: JsonObject][] = [
  ['a text without text', { type: 'text' }],
  ['an image without data', { type: 'image', mimeType: 'image/png' }],
  ['a content of unknown type', { type: 'test_sculpture', text: 'Paris' }],
]

export default serverScenario({
  title: 'A completion that is malformed does no harm: the call ends and the server goes on',
  hello: WILLING,
  needs: { capability: 'tools', fixture: { tool: 'test_sampling' } },
  claims: { validates: 'sampling.security.validate-content' },
  async *run(peer) {
    const call = { name: 'test_sampling', arguments: { prompt: 'hello' } }
    const sample = (content: JsonObject) =>
      callAsking(peer, call, 'sampling/createMessage', () => ({ result: answer(content) }))
    const control = await sample({ type: 'text', text: 'Paris' })
    if (control.asked.length === 0 || !succeeded(control.reply) || !says(control.reply, 'LLM response: Paris')) {
      yield unmet('the control, a completion with the text "Paris", was not returned as "LLM response: Paris"')
      return
    }
    for (const [what, content] of WRONG) {
      const { reply } = await sample(content)
      const after = await peer.settle()
      const survived = reply.kind !== 'none' && after.alive
      yield judge(
        'validates',
        !survived ? 'breaks' : succeeded(reply) && says(reply, 'LLM response:') ? 'bends' : 'holds',
        `no "LLM response:" after ${what}, and a server that goes on`,
        after.alive ? reply : after,
        { kind: 'accepted', subject: what },
      )
      if (!after.alive) return
    }
  },
  defects: [
    {
      named: 'hands on whatever comes',
      breaks: 'validates',
      kind: 'accepted',
      verdict: 'info',
      replace: { completionProblem: () => undefined },
    },
    { named: 'hangs on a malformed completion', breaks: 'validates', kind: 'stuck', replace: hangs },
  ],
  variants: [{ named: 'a client of 2025-06-18', spec: '2025-06-18', replace: {} }],
})

const says = (reply: unknown, text: string): boolean => JSON.stringify(reply).includes(text)

/** A call whose completion cannot be used is never ended, and nothing behind it. */
function hangs() {
  let stuck = false
  return {
    completionProblem(result: unknown) {
      stuck = !says(result, 'Paris') || says(result, 'sculpture')
      return stuck ? 'malformed' : undefined
    },
    drops: () => stuck,
  }
}
