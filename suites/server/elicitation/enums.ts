import {
  at,
  callAsking,
  type Json,
  judge,
  serverScenario,
  tampers,
  textAt,
  unmet,
  WILLING,
} from '../../../src/suite/server.ts'

const NAME = 'test_elicitation_sep1330_enums'

export default serverScenario({
  title: 'A form offers choices of each kind: one or several, with and without titles',
  hello: WILLING,
  needs: { capability: 'tools', fixture: { tool: NAME }, since: '2025-11-25' },
  claims: {
    single: 'elicitation.form.enum-single',
    multiple: 'elicitation.form.enum-multi',
  },
  async *run(peer) {
    const { reply, asked } = await callAsking(peer, { name: NAME }, 'elicitation/create', () => ({
      result: { action: 'decline' },
    }))
    if (asked[0] === undefined) {
      yield unmet(`${NAME} did not ask: ${reply.kind}`)
      return
    }
    const { params, frame } = asked[0]
    const field = (one: string): Json | undefined => at(params, 'requestedSchema', 'properties', one)
    const type = (one: string): string | undefined => textAt(field(one), 'type')
    yield judge(
      'single',
      type('untitledSingle') === 'string' && isTexts(at(field('untitledSingle'), 'enum')),
      'untitledSingle: a string with enum',
      frame,
      { kind: 'wrong-type', subject: 'untitledSingle' },
    )
    yield judge(
      'single',
      type('titledSingle') === 'string' && isTitled(at(field('titledSingle'), 'oneOf')),
      'titledSingle: a string with oneOf, each with const and title',
      frame,
      { kind: 'wrong-type', subject: 'titledSingle' },
    )
    const names = at(field('legacyEnum'), 'enumNames')
    yield judge(
      'single',
      type('legacyEnum') === 'string' && isTexts(at(field('legacyEnum'), 'enum')) && isTexts(names),
      'legacyEnum: a string with enum and enumNames',
      frame,
      { kind: 'wrong-type', subject: 'legacyEnum' },
    )
    const untitled = at(field('untitledMulti'), 'items')
    yield judge(
      'multiple',
      type('untitledMulti') === 'array' && textAt(untitled, 'type') === 'string' && isTexts(at(untitled, 'enum')),
      'untitledMulti: an array whose items are strings with enum',
      frame,
      { kind: 'wrong-type', subject: 'untitledMulti' },
    )
    yield judge(
      'multiple',
      type('titledMulti') === 'array' && isTitled(at(field('titledMulti'), 'items', 'anyOf')),
      'titledMulti: an array whose items have anyOf, each with const and title',
      frame,
      { kind: 'wrong-type', subject: 'titledMulti' },
    )
  },
  defects: [
    {
      named: 'choices lose their values',
      breaks: 'single',
      kind: 'wrong-type',
      also: ['multiple'],
      tamper: rename('enum', 'values'),
    },
    { named: 'anyOf in place of oneOf', breaks: 'single', kind: 'wrong-type', tamper: rename('oneOf', 'anyOf') },
    { named: 'drops the names of old', breaks: 'single', kind: 'wrong-type', tamper: rename('enumNames', 'labels') },
    { named: 'oneOf in place of anyOf', breaks: 'multiple', kind: 'wrong-type', tamper: rename('anyOf', 'oneOf') },
    { named: 'items without a name', breaks: 'multiple', kind: 'wrong-type', tamper: rename('items', 'prefixItems') },
  ],
})

const isTexts = (values: Json | undefined): boolean =>
  Array.isArray(values) && values.length > 0 && values.every(value => typeof value === 'string')

const isTitled = (choices: Json | undefined): boolean =>
  Array.isArray(choices) &&
  choices.length > 0 &&
  choices.every(choice => typeof at(choice, 'const') === 'string' && typeof at(choice, 'title') === 'string')

function rename(keyword: string, instead: string) {
  return tampers.message(message =>
    message.method === 'elicitation/create'
      ? JSON.parse(JSON.stringify(message).replaceAll(`"${keyword}":`, `"${instead}":`))
      : message,
  )
}
