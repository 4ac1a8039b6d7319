import {
  actionOf,
  clientScenario,
  declaration,
  declared,
  inResult,
  judge,
  tampers,
  undone,
  unmet,
} from '../../../src/suite/client.ts'
import { DEFAULTS, FORMS } from './_forms.ts'

export default clientScenario({
  title: 'A form that the user accepts as it is comes back with its defaults',
  script: FORMS,
  claims: { defaults: 'elicitation.form.client-prefills-defaults' },
  *run(seen) {
    const { defaults: form } = seen.notes
    if (seen.conversations.length > 0 && declared(seen, 'elicitation') === undefined)
      yield judge('defaults', 'n/a', 'elicitation', declaration(seen, 'it does not declare elicitation'))
    else if (form === undefined) yield unmet(undone(seen, 'take a form that it asked for by a tool'))
    else if (actionOf(form) !== 'accept') yield unmet('the user of the client did not accept the form')
    else
      for (const [name, value] of Object.entries(DEFAULTS))
        yield judge(
          'defaults',
          inResult(form, 'content', name) === value,
          `${JSON.stringify(value)} as ${name}, which is its default`,
          form,
        )
  },
  defects: [
    {
      named: 'opens forms empty',
      breaks: 'defaults',
      replace: client => ({ elicitation: { ...client.elicitation, fills: () => ({}) } }),
    },
    {
      named: 'takes false and numbers for no defaults',
      breaks: 'defaults',
      tamper: tampers.result('elicitation/create', ({ action, content }) => ({
        action: action ?? null,
        content: Object.fromEntries(Object.entries(content as object).filter(([, value]) => typeof value === 'string')),
      })),
    },
    {
      named: 'rounds numbers',
      breaks: 'defaults',
      tamper: tampers.result('elicitation/create', ({ action, content }) => ({
        action: action ?? null,
        content: { ...(content as object), score: 95 },
      })),
    },
  ],
})
