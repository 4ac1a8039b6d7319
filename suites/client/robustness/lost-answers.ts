import { clientScenario, endKind, fateOfClient, fateOfStep, judge, undone, unmet } from '../../../src/suite/client.ts'
import { LOSSES, LOST_ANSWERS, type Loss } from './_lost-answers.ts'

const CLAIMS = { ends_early: 'stream', no_events: 'stream', http_error: 'status', no_message: 'body' } as const

const HOW: Record<Loss, string> = {
  ends_early: 'a stream that ended without a response',
  no_events: 'a stream of text that is no event',
  http_error: 'HTTP 500',
  no_message: 'JSON that is no message',
}

export default clientScenario({
  title: 'A call whose answer cannot come any more fails without waiting for the timeout',
  needs: { via: 'http' },
  script: LOST_ANSWERS,
  claims: {
    stream: 'robustness.client.lost-response',
    status: 'robustness.client.http-error',
    body: 'robustness.client.unreadable-answer',
  },
  *run(seen) {
    for (const [step, name] of LOSSES.entries()) {
      const claim = CLAIMS[name]
      const expected = `an error to the user of a call that was answered by ${HOW[name]}`
      const report = seen.steps.get(step)
      if (seen.notes.came[name] === undefined) yield unmet(undone(seen, `call the tool ${name}`), claim)
      else if (report !== undefined) {
        if (report.outcome === 'unsupported') yield unmet('the driver has no way to call a tool', claim)
        else {
          const fault = { kind: 'accepted', subject: HOW[name] } as const
          yield judge(claim, report.outcome === 'error', expected, fateOfStep(seen, step), fault)
        }
      } else if (seen.end.how === 'stopped')
        yield judge(claim, false, expected, fateOfClient(seen), { kind: endKind(seen), subject: HOW[name] })
      else yield unmet('the driver does not tell what became of its calls', claim)
    }
  },
  defects: [
    {
      named: 'waits on when a stream is over',
      breaks: 'stream',
      kind: 'stuck',
      replace: { tells: lost => lost !== 'stream' },
    },
    { named: 'swallows HTTP errors', breaks: 'status', kind: 'stuck', replace: { tells: lost => lost !== 'status' } },
    { named: 'drops what it cannot read', breaks: 'body', kind: 'stuck', replace: { tells: lost => lost !== 'body' } },
  ],
})
