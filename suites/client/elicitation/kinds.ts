import {
  at,
  clientScenario,
  codes,
  failure,
  isObject,
  judge,
  tampers,
  undone,
  unmet,
} from '../../../src/suite/client.ts'
import { FORMS, KINDS } from './_forms.ts'

export default clientScenario({
  title: 'The client handles forms with every kind of field',
  needs: { capability: 'elicitation' },
  script: FORMS,
  claims: { handles: 'elicitation.form.client-handles-all-kinds' },
  *run(seen) {
    const { defaults, kinds } = seen.notes
    if (defaults === undefined) yield unmet(undone(seen, 'take a form that it asked for by a tool'))
    else if (defaults.kind === 'none') yield unmet('the user of the client did not answer the first form')
    else if (Object.keys(kinds).length === 0) yield unmet('the client ended before the forms')
    else
      for (const kind of Object.keys(KINDS)) {
        const reply = kinds[kind]
        if (reply !== undefined)
          yield judge('handles', reply.kind === 'result', `a result for ${kind}`, reply, { subject: kind })
      }
  },
  defects: [
    {
      named: 'knows no e-mail addresses',
      breaks: 'handles',
      kind: 'refused',
      tamper: refusing(field => isObject(field) && field.format === 'email'),
    },
    {
      named: 'knows no lists',
      breaks: 'handles',
      kind: 'refused',
      tamper: refusing(field => isObject(field) && field.type === 'array'),
    },
    {
      named: 'wants enum for a choice',
      breaks: 'handles',
      kind: 'refused',
      tamper: refusing(field => isObject(field) && field.oneOf !== undefined),
    },
    {
      named: 'refuses the titles of old',
      breaks: 'handles',
      kind: 'refused',
      tamper: refusing(field => isObject(field) && field.enumNames !== undefined),
    },
    {
      named: 'is silent about limits of numbers',
      breaks: 'handles',
      kind: 'silent',
      replace: { drops: message => at(message, 'params', 'requestedSchema', 'properties', 'field', 'minimum') === 1 },
    },
  ],
  variants: [
    {
      named: 'its user declines them all',
      shows: ['handles'],
      tamper: tampers.result('elicitation/create', () => ({ action: 'decline' })),
    },
  ],
})

function refusing(isUnknown: (field: unknown) => boolean) {
  return tampers.answer('elicitation/create', (message, cause) => {
    const properties = at(cause, 'params', 'requestedSchema', 'properties')
    const unknown = isObject(properties) && isUnknown(properties.field)
    return unknown ? failure(message.id, codes.invalidParams, 'Unknown field') : message
  })
}
