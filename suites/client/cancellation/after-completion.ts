import {
  clientScenario,
  fateOfStep,
  idKey,
  isObject,
  judge,
  notification,
  sent,
  tampers,
  textAt,
  undone,
  unmet,
} from '../../../src/suite/client.ts'
import { CANCELLING } from '../_cancelled-calls.ts'

const RACE_MS = 1_000
const MUCH_LATER_MS = 5_000

/** The user gives up a call that was answered more than a second ago. */
export default clientScenario({
  title: 'The client does not cancel a request that has been answered',
  script: CANCELLING,
  claims: { running: 'cancellation.send.believed-in-progress' },
  *run(seen) {
    const call = sent(seen, 'tools/call').find(({ params }) => textAt(params, 'name') === 'quick')
    const answer = seen.frames.find(
      frame =>
        frame.kind === 'message' &&
        frame.from === 'us' &&
        isObject(frame.json) &&
        Object.hasOwn(frame.json, 'result') &&
        idKey(frame.json.id) === idKey(call?.id),
    )
    if (call === undefined || answer === undefined) {
      yield unmet(undone(seen, 'call the quick tool'))
      return
    }
    const told = sent(seen, 'notifications/cancelled').find(({ params }) => idKey(params.requestId) === idKey(call.id))
    const wanted = 'no cancellation of a call that was answered more than a second ago'
    const late = told === undefined ? 0 : told.frame.at - answer.at
    if (told !== undefined)
      yield judge(
        'running',
        late > MUCH_LATER_MS ? 'breaks' : late > RACE_MS ? 'bends' : 'holds',
        wanted,
        told.frame,
        'unasked',
      )
    else if (seen.steps.get(0)?.outcome === 'unsupported' || sent(seen, 'notifications/cancelled').length === 0)
      yield unmet(undone(seen, 'cancel a call'))
    else yield judge('running', true, wanted, fateOfStep(seen, 1))
  },
  defects: [
    {
      named: 'a cancellation that nobody takes back',
      breaks: 'running',
      kind: 'unasked',
      verdict: 'warn',
      // The list is asked for behind that time, with the next id.
      tamper: tampers.message(message =>
        message.method === 'tools/list'
          ? [
              notification('notifications/cancelled', {
                requestId: Number(message.id) - 1,
                reason: 'the user cancelled the request',
              }),
              message,
            ]
          : message,
      ),
    },
  ],
})
