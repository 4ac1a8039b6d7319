import { at, callAsking, judge, serverScenario, tampers, unmet, WILLING } from '../../../src/suite/server.ts'

const NAME = 'test_elicitation_sep1034_defaults'

/** The fields of the fixture, by the claim that they serve. */
const FIELDS = [
  ['text', 'name', 'string', 'John Doe'],
  ['number', 'age', 'integer', 30],
  ['number', 'score', 'number', 95.5],
  ['choice', 'status', 'string', 'active'],
  ['flag', 'verified', 'boolean', true],
] as const

export default serverScenario({
  title: 'A form carries a default for each kind of field, with the value and the type that the server gave',
  hello: WILLING,
  needs: { capability: 'tools', fixture: { tool: NAME }, since: '2025-11-25' },
  claims: {
    text: 'elicitation.form.string-schema',
    number: 'elicitation.form.number-schema',
    choice: 'elicitation.form.enum-single',
    flag: 'elicitation.form.boolean-schema',
  },
  async *run(peer) {
    const { reply, asked } = await callAsking(peer, { name: NAME }, 'elicitation/create', () => ({
      result: { action: 'decline' },
    }))
    if (asked[0] === undefined) {
      yield unmet(`${NAME} did not ask: ${reply.kind}`)
      return
    }
    for (const [claim, field, type, value] of FIELDS) {
      const found = at(asked[0].params, 'requestedSchema', 'properties', field)
      const given = at(found, 'default')
      const typed = at(found, 'type') === type && typeof given === typeof value
      yield judge(
        claim,
        typed && given === value,
        `the field ${field} of type ${type} with the default ${JSON.stringify(value)}`,
        asked[0].frame,
        { kind: given === undefined ? 'missing' : typed ? 'wrong-value' : 'wrong-type', subject: field },
      )
    }
    const choices = JSON.stringify(at(asked[0].params, 'requestedSchema', 'properties', 'status', 'enum'))
    const wanted = JSON.stringify(['active', 'inactive', 'pending'])
    yield judge('choice', choices === wanted, `the field status with the choices ${wanted}`, asked[0].frame, {
      subject: 'status',
    })
  },
  defects: [
    {
      named: 'loses the default of a text',
      breaks: 'text',
      kind: 'missing',
      tamper: without('"default":"John Doe",?'),
    },
    {
      named: 'makes the default of an integer a text',
      breaks: 'number',
      kind: 'wrong-type',
      tamper: without('"default":30', '"default":"30"'),
    },
    {
      named: 'cuts a fraction off',
      breaks: 'number',
      kind: 'wrong-value',
      tamper: without('"default":95.5', '"default":95'),
    },
    {
      named: 'loses the default of a choice',
      breaks: 'choice',
      kind: 'missing',
      tamper: without('"default":"active",?'),
    },
    { named: 'loses a choice', breaks: 'choice', kind: 'wrong-value', tamper: without(',"pending"') },
    {
      named: 'writes a boolean as text',
      breaks: 'flag',
      kind: 'wrong-type',
      tamper: without('"default":true', '"default":"true"'),
    },
  ],
})

/** Rewrites a part of the form. */
function without(part: string, instead = '') {
  return tampers.message(message =>
    message.method === 'elicitation/create'
      ? JSON.parse(
          JSON.stringify(message)
            .replace(new RegExp(part), instead)
            .replace(/,(?=\})/g, ''),
        )
      : message,
  )
}
