import {
  askedIn,
  at,
  fieldKind,
  fieldProblem,
  isObject,
  type Json,
  type JsonObject,
  judge,
  monitor,
  type Tamper,
  tampers,
} from '../../src/suite/monitor.ts'

const CLAIM = {
  string: 'text',
  number: 'number',
  boolean: 'flag',
  'single choice': 'single',
  'multiple choice': 'multiple',
} as const

/** Schemas inside schemas, at the root: a form has properties and what is required, and no more. */
const COMBINING = ['$ref', 'allOf', 'anyOf', 'oneOf', 'not', 'if', 'dependentSchemas', 'patternProperties']

/** The restricted schema of forms (client/elicitation#requested-schema). That it is one of an object is a matter of monitors/schema. */
export default monitor({
  title: 'Forms are flat, and each field is of a kind that forms have',
  needs: { since: '2025-06-18' },
  claims: {
    schema: 'elicitation.form.requested-schema',
    flat: 'elicitation.form.schema-flat',
    text: 'elicitation.form.string-schema',
    number: 'elicitation.form.number-schema',
    flag: 'elicitation.form.boolean-schema',
    single: 'elicitation.form.enum-single',
    multiple: 'elicitation.form.enum-multi',
  },
  start: () => undefined,
  *see(_state, frame) {
    for (const { mode, requestedSchema: schema } of askedIn(frame, 'elicitation/create')) {
      if (mode !== undefined && mode !== 'form') continue
      const properties = at(schema, 'properties')
      if (!isObject(schema) || !isObject(properties)) continue
      const { required } = schema
      const absent = (Array.isArray(required) ? required : []).find(name => !Object.hasOwn(properties, String(name)))
      yield judge('schema', absent === undefined, 'required names that are among the properties', frame)
      const combining = COMBINING.find(keyword => Object.hasOwn(schema, keyword))
      yield judge('flat', combining === undefined, 'a schema without conditions and combinations', frame, {
        kind: 'unasked',
        subject: combining ?? 'requestedSchema',
      })
      for (const [name, field] of Object.entries(properties)) {
        const kind = fieldKind(field)
        const expected = `a text, number, boolean or choice as ${name}`
        yield judge('flat', kind !== undefined, expected, frame, { kind: 'wrong-type', subject: name })
        if (kind === undefined) continue
        const problem = fieldProblem(kind, field as JsonObject)
        const outcome = problem === undefined ? 'holds' : problem.tolerable ? 'bends' : 'breaks'
        yield judge(
          CLAIM[kind],
          outcome,
          `a ${kind} as ${name} with the keywords that it may have`,
          problem === undefined ? frame : { text: `${name}: ${problem.problem}`, frames: [frame] },
          { kind: problem?.kind ?? 'wrong-value', subject: name },
        )
      }
    }
  },
  defects: [
    {
      named: 'requires what it does not have',
      kind: 'wrong-value',
      ...form('schema', schema => ({ ...schema, required: ['telephone'] })),
    },
    { named: 'asks for an object', kind: 'wrong-type', ...field('flat', { type: 'object', properties: {} }) },
    {
      named: 'asks for a list of objects',
      kind: 'wrong-type',
      ...field('flat', { type: 'array', items: { type: 'object' } }),
    },
    {
      named: 'asks for a text or nothing',
      kind: 'wrong-type',
      ...field('flat', { anyOf: [{ type: 'string' }, { type: 'null' }] }),
    },
    {
      named: 'combines schemas',
      kind: 'unasked',
      ...form('flat', schema => ({ ...schema, allOf: [{ required: [] }] })),
    },
    { named: 'an unknown format', kind: 'wrong-value', ...field('text', { type: 'string', format: 'telephone' }) },
    {
      named: 'a keyword that texts do not have',
      kind: 'unasked',
      verdict: 'warn',
      ...field('text', { type: 'string', contentEncoding: 'base64' }),
    },
    { named: 'a minimum as text', kind: 'wrong-type', ...field('number', { type: 'number', minimum: '1' }) },
    { named: 'a default of another type', kind: 'wrong-type', ...field('flag', { type: 'boolean', default: 'yes' }) },
    { named: 'no choices', kind: 'wrong-value', ...field('single', { type: 'string', enum: [] }) },
    {
      named: 'choices without titles',
      kind: 'wrong-value',
      ...field('single', { type: 'string', oneOf: [{ const: 'a' }] }),
    },
    {
      named: 'a default that cannot be chosen',
      kind: 'wrong-value',
      ...field('single', { type: 'string', enum: ['a'], default: 'b' }),
    },
    {
      named: 'several free texts',
      kind: 'missing',
      ...field('multiple', { type: 'array', items: { type: 'string' } }),
    },
  ],
  variants: [
    {
      named: 'choices of all kinds',
      on: 'server/elicitation/enums',
      shows: ['schema', 'flat', 'single', 'multiple'],
      replace: {},
    },
    {
      named: 'defaults of all kinds',
      on: 'server/elicitation/defaults',
      shows: ['text', 'number', 'flag'],
      replace: {},
    },
    {
      named: 'an empty form',
      on: 'server/elicitation/form',
      ...without(form('schema', () => ({ type: 'object', properties: {} }))),
    },
    { named: 'a pattern', on: 'server/elicitation/form', ...without(field('text', { type: 'string', pattern: '^a' })) },
    {
      named: 'closed, with the dialect named',
      on: 'server/elicitation/form',
      ...without(
        form('schema', schema => ({
          $schema: 'https://json-schema.org/draft/2020-12/schema',
          ...schema,
          additionalProperties: false,
        })),
      ),
    },
  ],
})

/** A fault in the schema of the form. */
function form<C extends string>(breaks: C, change: (schema: JsonObject) => Json) {
  return {
    breaks,
    on: 'server/elicitation/form',
    tamper: tampers.message(message => {
      const schema = at(message, 'params', 'requestedSchema')
      if (message.method !== 'elicitation/create' || !isObject(schema) || !isObject(message.params)) return message
      return { ...message, params: { ...message.params, requestedSchema: change(schema) } }
    }),
  }
}

/** A fault in one field. */
function field<C extends string>(breaks: C, instead: JsonObject) {
  return form(breaks, schema => ({
    ...schema,
    properties: { ...(isObject(schema.properties) ? schema.properties : {}), username: instead },
  }))
}

/** The same change where it is no fault. */
function without({ tamper }: { tamper: Tamper }) {
  return { tamper }
}
