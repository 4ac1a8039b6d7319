import { codes, judge, offers, serverScenario, tampers, unmet } from '../../../src/suite.ts'

const FIXTURE = 'test_failing_prompt'

export default serverScenario({
  title: 'A prompt whose making fails inside the server gets error -32603',
  needs: { capability: 'prompts', fixture: FIXTURE },
  claims: { code: 'prompts.errors.internal' },
  async *run(peer) {
    if (!(await offers(peer, 'prompts', FIXTURE))) {
      yield unmet(`fixture ${FIXTURE} not offered`)
      return
    }
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
