import { codes, judge, serverScenario, tampers, unmet } from '../../../src/suite/server.ts'

const FIXTURE = 'test_failing_prompt'

export default serverScenario({
  title: 'A prompt whose making fails inside the server gets error -32603',
  needs: { capability: 'prompts', fixture: { prompt: FIXTURE } },
  claims: { code: 'prompts.errors.internal' },
  async *run(peer) {
    const reply = await peer.request('prompts/get', { name: FIXTURE })
    if (reply.kind === 'result') yield unmet(`fixture ${FIXTURE} does not fail`)
    else yield judge('code', reply.kind === 'error' && reply.code === codes.internalError, 'error -32603', reply)
  },
  defects: [
    {
      named: 'calls it invalid params',
      breaks: 'code',
      replace: {
        onException: ({ id }) => ({ jsonrpc: '2.0', id, error: { code: codes.invalidParams, message: 'no' } }),
      },
    },
    { named: 'is silent for ever', breaks: 'code', replace: { onException: () => undefined } },
  ],
  variants: [{ named: 'has no such prompt', tamper: tampers.result('prompts/list', () => ({ prompts: [] })) }],
})
