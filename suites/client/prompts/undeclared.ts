import { clientScenario, judge, PLAIN, sent, shookHands, undone, unmet } from '../../../src/suite/client.ts'

export default clientScenario({
  title: 'The client does not ask a server without prompts for them',
  script: PLAIN,
  claims: { respects: 'prompts.negotiation.respected' },
  *run(seen) {
    if (!shookHands(seen)) {
      yield unmet(undone(seen, 'open a session'))
      return
    }
    const asked = sent(seen).filter(({ method }) => method.startsWith('prompts/'))
    const hello = sent(seen, 'initialize')[0]?.frame ?? seen.end.frame
    if (asked.length === 0) yield judge('respects', true, 'no request for prompts', hello)
    for (const { method, frame } of asked)
      yield judge('respects', false, 'no request for prompts', frame, { kind: 'unasked', subject: method })
  },
  defects: [
    {
      named: 'lists prompts in any case',
      breaks: 'respects',
      kind: 'unasked',
      replace: { greets: when => (when === 'initialized' ? [{ method: 'prompts/list' }] : []) },
    },
  ],
})
