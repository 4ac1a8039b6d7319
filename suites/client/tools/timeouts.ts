import { clientScenario, judge, sent, undone, unmet } from '../../../src/suite/client.ts'
import { gaveUp, LIMIT_MS, STEPS, UNANSWERED } from '../_unanswered-calls.ts'

export default clientScenario({
  title: 'The client stops waiting for a tool that never answers',
  script: UNANSWERED,
  claims: { limited: 'tools.client.timeouts' },
  *run(seen) {
    const call = sent(seen, 'tools/call').find(({ params }) => params.name === 'held')
    const { held } = seen.notes
    if (call === undefined || held === undefined) yield unmet(undone(seen, 'call the tool held'))
    else if (seen.steps.get(STEPS.held)?.outcome === 'unsupported')
      yield unmet('the driver cannot set a limit to a request')
    else {
      const stopped = gaveUp(seen, held, call.frame)
      yield judge(
        'limited',
        stopped,
        `the call is given up after ${LIMIT_MS} ms, as the client was told`,
        {
          text: `${stopped ? 'given up within' : 'still waiting after'} ${held.waitedMs} ms`,
          frames: [call.frame],
        },
        'ignored',
      )
    }
  },
  defects: [
    {
      named: 'waits for ever',
      breaks: 'limited',
      kind: 'ignored',
      replace: { onGiveUp: () => [], stopsWaiting: false },
    },
  ],
})
