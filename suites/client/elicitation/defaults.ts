import { actionOf, clientScenario, inResult, judge, tampers, undone, unmet } from '../../../src/suite/client.ts'
import { DEFAULTS, FORMS } from './_forms.ts'

export default clientScenario({
  title: 'A form that the user accepts as it is comes back with its defaults',
  needs: { capability: 'elicitation' },
  script: FORMS,
  claims: { defaults: 'elicitation.form.client-prefills-defaults' },
  *run(seen) {
    const { defaults: form } = seen.notes
    if (form === undefined) yield unmet(undone(seen, 'take a form that it asked for by a tool'))
    else if (actionOf(form) !== 'accept') yield unmet('the user of the client did not accept the form')
    else
      for (const [name, value] of Object.entries(DEFAULTS)) {
        const filled = inResult(form, 'content', name)
        const expected = `${JSON.stringify(value)} as ${name}, which is its default`
        yield judge('defaults', filled === value, expected, form, {
          kind: filled === undefined ? 'missing' : 'wrong-value',
          subject: `result.content.${name}`,
        })
      }
  },
  defects: [
    {
      named: 'opens forms empty',
      breaks: 'defaults',
      kind: 'missing',
      replace: client => ({ elicitation: { ...client.elicitation, fills: () => ({}) } }),
    },
    {
      named: 'takes false and numbers for no defaults',
      breaks: 'defaults',
      kind: 'missing',
      tamper: tampers.result('elicitation/create', ({ action, content }) => ({
        action: action ?? null,
        content: Object.fromEntries(Object.entries(content as object).filter(([, value]) => typeof value === 'string')),
      })),
    },
    {
      named: 'rounds numbers',
      breaks: 'defaults',
      kind: 'wrong-value',
      tamper: tampers.result('elicitation/create', ({ action, content }) => ({
        action: action ?? null,
        content: { ...(content as object), score: 95 },
      })),
    },
  ],
})
