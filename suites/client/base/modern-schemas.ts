import { clientScenario, judge, unmet } from '../../../src/suite/client.ts'
import { fateOf, showing } from './_dialects.ts'

/** Keywords that 2020-12 has and draft-07 has not, and one that means something else there: `items` beside `prefixItems`. */
const PAIR = {
  name: 'pair',
  inputSchema: { type: 'object' },
  outputSchema: {
    type: 'object',
    properties: { pair: { type: 'array', prefixItems: [{ type: 'integer' }, { type: 'string' }], items: false } },
    required: ['pair'],
  },
}
const ADDRESS = {
  $anchor: 'address',
  type: 'object',
  properties: { street: { type: 'string' }, city: { type: 'string' } },
  dependentRequired: { street: ['city'] },
}
const DEFINED = {
  name: 'defined',
  inputSchema: {
    type: 'object',
    $defs: { address: ADDRESS },
    properties: { home: { $ref: '#/$defs/address' } },
    unevaluatedProperties: false,
  },
  outputSchema: {
    type: 'object',
    $defs: { address: ADDRESS, node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } } } },
    properties: { home: { $ref: '#/$defs/address' }, tree: { $ref: '#/$defs/node' } },
    unevaluatedProperties: false,
  },
}

const HOME = { street: 'Main Street', city: 'Springfield' }

const MODERN = showing('modern-schemas', [
  { tool: PAIR, args: {}, structuredContent: { pair: [1, 'a'] } },
  { tool: DEFINED, args: { home: HOME }, structuredContent: { home: HOME, tree: { next: { next: {} } } } },
])

const [LIST, CONTROL, PAIRS, DEFINITIONS] = [0, 1, 2, 3]

export default clientScenario({
  title: 'Schemas that name no dialect are read as JSON Schema 2020-12, and tools with them can be called',
  script: MODERN,
  claims: {
    default: 'base.json-schema.default-dialect',
    support: 'base.json-schema.support-2020-12',
  },
  *run(seen) {
    const listed = fateOf(seen, LIST)
    if (listed.good === false) {
      yield judge('support', false, 'a list with schemas of 2020-12 to be taken', listed.got, listed.fault)
      yield unmet('the list was not taken', 'default')
      return
    }
    // Clients need not validate; one that says that a right result is wrong has read the schema in another way.
    if (fateOf(seen, CONTROL).good !== true) {
      yield unmet('the driver did not tell of a call of a plain tool that it succeeded')
      return
    }
    for (const [claim, step, what] of [
      ['default', PAIRS, 'prefixItems'],
      ['support', DEFINITIONS, '$defs and unevaluatedProperties'],
    ] as const) {
      const { good, got, fault } = fateOf(seen, step)
      if (good === undefined) yield unmet(`the driver did not tell of the call of a tool with ${what}`, claim)
      else yield judge(claim, good, `the call of a tool with ${what} to succeed`, got, fault)
    }
  },
  defects: [
    {
      named: 'reads schemas as draft-07',
      breaks: 'default',
      kind: 'refused',
      replace: correct => ({
        resultProblem: seen =>
          JSON.stringify(seen.tool?.outputSchema ?? '').includes('"items":false')
            ? 'items are not allowed'
            : correct.resultProblem(seen),
      }),
    },
    {
      named: 'finds no definitions',
      breaks: 'support',
      kind: 'refused',
      replace: correct => ({
        resultProblem: seen =>
          JSON.stringify(seen.tool?.outputSchema ?? '').includes('$defs')
            ? "can't resolve reference #/$defs/address"
            : correct.resultProblem(seen),
      }),
    },
    {
      named: 'drops the list because of one schema',
      breaks: 'support',
      kind: 'refused',
      replace: { parse: text => (text.includes('$defs') ? undefined : JSON.parse(text)), timeoutMs: 150 },
    },
  ],
  variants: [{ named: 'validates nothing', replace: { resultProblem: () => undefined } }],
})
