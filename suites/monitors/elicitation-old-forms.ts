import { askedIn, at, isObject, type JsonObject, judge, monitor, tampers } from '../../src/suite/monitor.ts'

/** What came with 2025-11-25 is unknown to a client that agreed on the version before. */
export default monitor({
  title: 'Forms for clients of 2025-06-18 have no lists and no choices with oneOf',
  needs: { since: '2025-06-18', until: '2025-06-18' },
  claims: {
    flat: 'elicitation.form.schema-flat',
    single: 'elicitation.form.enum-single',
  },
  start: () => undefined,
  *see(_state, frame) {
    for (const { requestedSchema } of askedIn(frame, 'elicitation/create')) {
      const properties = at(requestedSchema, 'properties')
      for (const [name, field] of Object.entries(isObject(properties) ? properties : {})) {
        yield judge('flat', at(field, 'type') !== 'array', `no list as ${name}`, frame, {
          kind: 'wrong-type',
          subject: name,
        })
        yield judge('single', at(field, 'oneOf') === undefined, `no choice with oneOf as ${name}`, frame, {
          kind: 'unasked',
          subject: name,
        })
      }
    }
  },
  defects: [
    {
      named: 'asks for several choices',
      breaks: 'flat',
      kind: 'wrong-type',
      ...asking({ type: 'array', items: { type: 'string', enum: ['a'] } }),
    },
    {
      named: 'gives choices titles',
      breaks: 'single',
      kind: 'unasked',
      ...asking({ type: 'string', oneOf: [{ const: 'a', title: 'A' }] }),
    },
  ],
  variants: [
    {
      named: 'a choice with names',
      shows: ['flat', 'single'],
      ...asking({ type: 'string', enum: ['a'], enumNames: ['A'] }),
    },
  ],
})

function asking(field: JsonObject) {
  return {
    on: 'server/elicitation/form',
    tamper: tampers.message(message =>
      message.method === 'elicitation/create'
        ? { ...message, params: { message: 'hello', requestedSchema: { type: 'object', properties: { field } } } }
        : message,
    ),
  }
}
