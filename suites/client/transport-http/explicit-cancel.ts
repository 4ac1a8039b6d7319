import {
  at,
  clientScenario,
  fateOfStep,
  idKey,
  judge,
  notification,
  sent,
  textAt,
  undone,
  unmet,
} from '../../../src/suite/client.ts'
import { CANCELLING } from '../_cancelled-calls.ts'

export default clientScenario({
  title: 'The client cancels a request by a notification, not by closing its stream',
  needs: { via: 'http' },
  script: CANCELLING,
  claims: { says: 'transport-http.sse.explicit-cancel' },
  *run(seen) {
    const call = sent(seen, 'tools/call').find(({ params }) => textAt(params, 'name') === 'slow')
    if (call === undefined) {
      yield unmet(undone(seen, 'call the slow tool'))
      return
    }
    const told = sent(seen, 'notifications/cancelled').find(
      ({ params }) => idKey(at(params, 'requestId')) === idKey(call.id),
    )
    const closed = seen.frames.find(
      ({ kind, exchange, at: when }) =>
        kind === 'end' && exchange === call.frame.exchange && when < (seen.notes.slow?.answeredAt ?? Infinity),
    )
    const report = seen.steps.get(0)?.outcome
    if (told !== undefined) yield judge('says', true, 'notifications/cancelled with the id of the call', told.frame)
    else if (closed !== undefined || report === 'error')
      yield judge(
        'says',
        false,
        'notifications/cancelled with the id of the call',
        closed ?? fateOfStep(seen, 0),
        'missing',
      )
    else yield unmet(undone(seen, 'cancel a call'))
  },
  defects: [
    { named: 'says nothing', breaks: 'says', kind: 'missing', replace: { onGiveUp: () => [] } },
    {
      named: 'names another request',
      breaks: 'says',
      kind: 'missing',
      replace: {
        onGiveUp: () => [notification('notifications/cancelled', { requestId: 'no-such-id' })],
      },
    },
  ],
})
