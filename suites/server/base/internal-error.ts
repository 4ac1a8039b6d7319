import {
  codes,
  judge,
  listAll,
  type Outcome,
  type Reply,
  serverScenario,
  tampers,
  unmet,
} from '../../../src/suite/server.ts'

const FIXTURE = 'test_failing_prompt'

export default serverScenario({
  title: 'A failure inside the server is reported with error -32603',
  needs: { capability: 'prompts' },
  claims: { code: 'base.error.internal-error-code' },
  async *run(peer) {
    const { entries } = await listAll(peer, 'prompts/list', 'prompts')
    if (!entries.some(prompt => prompt.name === FIXTURE)) {
      yield unmet(`fixture ${FIXTURE} not offered`)
      return
    }
    const reply = await peer.request('prompts/get', { name: FIXTURE })
    if (reply.kind === 'result') yield unmet(`fixture ${FIXTURE} does not fail`)
    else yield judge('code', outcomeOf(reply), 'error -32603', reply)
  },
  defects: [
    { named: 'calls it invalid params', breaks: 'code', replace: { onException: ({ id }) => failed(id, -32602) } },
    {
      named: 'the code is the number of an exception',
      breaks: 'code',
      replace: { onException: ({ id }) => failed(id, 1) },
    },
    { named: 'is silent for ever', breaks: 'code', replace: { onException: () => undefined } },
  ],
  variants: [
    { named: 'a code of its own', bends: ['code'], replace: { onException: ({ id }) => failed(id, -32050) } },
    { named: 'no such prompt', tamper: tampers.result('prompts/list', () => ({ prompts: [] })) },
  ],
})

const failed = (id: unknown, code: number) => ({
  jsonrpc: '2.0',
  id: id as string,
  error: { code, message: 'It failed' },
})

/** From -32000 to -32099 a server may name its own failures: tolerated, though -32603 says more to everybody. */
function outcomeOf(reply: Reply): Outcome {
  if (reply.kind !== 'error') return 'breaks'
  if (reply.code === codes.internalError) return 'holds'
  return reply.code <= -32000 && reply.code >= -32099 ? 'bends' : 'breaks'
}
