import { codes, type Outcome, type Reply, refusal, serverScenario, tampers } from '../../../src/suite/server.ts'
import { FAILING_PROMPT, getFailingPrompt } from '../prompts/_failing-prompt.ts'

export default serverScenario({
  title: 'A failure inside the server is reported with error -32603',
  needs: FAILING_PROMPT,
  claims: { code: 'base.error.internal-error-code' },
  run: getFailingPrompt(outcomeOf),
  defects: [
    {
      named: 'calls it invalid params',
      breaks: 'code',
      kind: 'wrong-code',
      replace: { onException: refusal(-32602, 'It failed') },
    },
    {
      named: 'the code is the number of an exception',
      breaks: 'code',
      kind: 'wrong-code',
      replace: { onException: refusal(1, 'It failed') },
    },
    { named: 'is silent for ever', breaks: 'code', kind: 'silent', replace: { onException: () => undefined } },
  ],
  variants: [
    { named: 'a code of its own', bends: ['code'], replace: { onException: refusal(-32050, 'It failed') } },
    { named: 'no such prompt', tamper: tampers.result('prompts/list', () => ({ prompts: [] })) },
  ],
})

/** From -32000 to -32099 a server may name its own failures: tolerated, though -32603 says more to everybody. */
function outcomeOf(reply: Reply): Outcome {
  if (reply.kind !== 'error') return 'breaks'
  if (reply.code === codes.internalError) return 'holds'
  return reply.code <= -32000 && reply.code >= -32099 ? 'bends' : 'breaks'
}
