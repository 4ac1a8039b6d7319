import { at, callAsking, judge, offers, serverScenario, tampers, unmet, WILLING } from '../../../src/suite/server.ts'

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
  needs: { capability: 'tools', since: '2025-11-25' },
  claims: {
    text: 'elicitation.form.string-schema',
    number: 'elicitation.form.number-schema',
    choice: 'elicitation.form.enum-single',
    flag: 'elicitation.form.boolean-schema',
  },
  async *run(peer) {
    const name = 'test_elicitation_sep1034_defaults'
    if (!(await offers(peer, 'tools', name))) {
      yield unmet(`fixture ${name} not offered`)
      return
    }
    const { reply, asked } = await callAsking(peer, { name }, 'elicitation/create', () => ({
      result: { action: 'decline' },
    }))
    if (asked[0] === undefined) {
      yield unmet(`${name} did not ask: ${reply.kind}`)
      return
    }
    for (const [claim, field, type, value] of FIELDS) {
      const found = at(asked[0].params, 'requestedSchema', 'properties', field)
      yield judge(
        claim,
        at(found, 'type') === type && at(found, 'default') === value,
        `the field ${field} of type ${type} with the default ${JSON.stringify(value)}`,
        asked[0].frame,
      )
    }
    const choices = JSON.stringify(at(asked[0].params, 'requestedSchema', 'properties', 'status', 'enum'))
    const wanted = JSON.stringify(['active', 'inactive', 'pending'])
    yield judge('choice', choices === wanted, `the field status with the choices ${wanted}`, asked[0].frame)
  },
  defects: [
    { named: 'loses the default of a text', breaks: 'text', tamper: without('"default":"John Doe",?') },
    {
      named: 'makes the default of an integer a text',
      breaks: 'number',
      tamper: without('"default":30', '"default":"30"'),
    },
    { named: 'cuts a fraction off', breaks: 'number', tamper: without('"default":95.5', '"default":95') },
    { named: 'loses the default of a choice', breaks: 'choice', tamper: without('"default":"active",?') },
    { named: 'loses a choice', breaks: 'choice', tamper: without(',"pending"') },
    { named: 'writes a boolean as text', breaks: 'flag', tamper: without('"default":true', '"default":"true"') },
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
