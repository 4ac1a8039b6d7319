import {
  actionOf,
  clientScenario,
  declaration,
  declared,
  judge,
  tampers,
  undone,
  unmet,
} from '../../../src/suite/client.ts'
import { DECLINING } from './_declining.ts'

export default clientScenario({
  title: 'A user can decline, whatever is asked and whatever is not filled in yet',
  needs: { since: '2025-06-18' },
  script: DECLINING,
  claims: { option: 'elicitation.ui.decline-option', anyTime: 'elicitation.security.decline-any-time' },
  *run(seen) {
    const { form, page } = seen.notes.asked
    if (seen.conversations.length > 0 && declared(seen, 'elicitation') === undefined) {
      const got = declaration(seen, 'it does not declare elicitation')
      for (const claim of ['option', 'anyTime'] as const) yield judge(claim, 'n/a', 'elicitation', got)
      return
    }
    if (form === undefined && page === undefined) yield unmet(undone(seen, 'list the tools'))
    for (const reply of [form, page]) {
      if (reply === undefined) continue
      const declined = actionOf(reply) === 'decline'
      yield judge('option', declined, 'the action decline', reply)
      yield judge('anyTime', declined, 'the action decline', reply)
    }
  },
  defects: [
    {
      named: 'says cancel',
      breaks: 'option',
      also: ['anyTime'],
      tamper: tampers.result('elicitation/create', () => ({ action: 'cancel' })),
    },
    {
      named: 'an error in place of it',
      breaks: 'anyTime',
      also: ['option'],
      tamper: tampers.answer('elicitation/create', ({ id }) => ({
        jsonrpc: '2.0',
        id,
        error: { code: -1, message: 'The user declined' },
      })),
    },
  ],
})
