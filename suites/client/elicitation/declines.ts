import { actionOf, clientScenario, judge, tampers, undone, unmet } from '../../../src/suite/client.ts'
import { DECLINING } from './_declining.ts'

export default clientScenario({
  title: 'A user can decline, whatever is asked and whatever is not filled in yet',
  needs: { capability: 'elicitation', since: '2025-06-18' },
  script: DECLINING,
  claims: { option: 'elicitation.ui.decline-option', anyTime: 'elicitation.security.decline-any-time' },
  *run(seen) {
    const { form, page } = seen.notes.asked
    if (form === undefined && page === undefined) yield unmet(undone(seen, 'list the tools'))
    for (const [subject, reply] of [
      ['form', form],
      ['url', page],
    ] as const) {
      if (reply === undefined) continue
      const declined = actionOf(reply) === 'decline'
      yield judge('option', declined, 'the action decline', reply, { subject })
      yield judge('anyTime', declined, 'the action decline', reply, { subject })
    }
  },
  defects: [
    {
      named: 'says cancel',
      breaks: 'option',
      kind: 'wrong-value',
      also: ['anyTime'],
      tamper: tampers.result('elicitation/create', () => ({ action: 'cancel' })),
    },
    {
      named: 'an error in place of it',
      breaks: 'anyTime',
      kind: 'refused',
      also: ['option'],
      tamper: tampers.refuse('elicitation/create', -1, 'The user declined'),
    },
  ],
})
