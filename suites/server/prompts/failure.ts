import { codes, refusal, serverScenario, tampers } from '../../../src/suite/server.ts'
import { FAILING_PROMPT, getFailingPrompt } from './_failing-prompt.ts'

export default serverScenario({
  title: 'A prompt whose making fails inside the server gets error -32603',
  needs: FAILING_PROMPT,
  claims: { code: 'prompts.errors.internal' },
  run: getFailingPrompt(reply => reply.kind === 'error' && reply.code === codes.internalError),
  defects: [
    {
      named: 'calls it invalid params',
      breaks: 'code',
      kind: 'wrong-code',
      replace: { onException: refusal(codes.invalidParams, 'no') },
    },
    { named: 'is silent for ever', breaks: 'code', kind: 'silent', replace: { onException: () => undefined } },
  ],
  variants: [{ named: 'has no such prompt', tamper: tampers.result('prompts/list', () => ({ prompts: [] })) }],
})
