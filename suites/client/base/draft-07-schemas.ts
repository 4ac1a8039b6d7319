import { clientScenario, judge, unmet } from '../../../src/suite/client.ts'
import { fateOf, showing } from './_dialects.ts'

const DRAFT_07 = 'http://json-schema.org/draft-07/schema#'

/** `items` as a list has been `prefixItems` since 2020-12: as a schema of that dialect it is not even valid. */
const TUPLE = {
  name: 'tuple',
  inputSchema: {
    $schema: DRAFT_07,
    type: 'object',
    definitions: { label: { type: 'string' } },
    properties: { label: { $ref: '#/definitions/label' } },
    dependencies: { label: [] },
  },
  outputSchema: {
    $schema: DRAFT_07,
    type: 'object',
    properties: { pair: { type: 'array', items: [{ type: 'integer' }, { type: 'string' }], additionalItems: false } },
    required: ['pair'],
  },
}
/** A keyword that draft-07 does not know forbids nothing there. */
const LOOSE = {
  name: 'loose',
  inputSchema: { $schema: DRAFT_07, type: 'object' },
  outputSchema: {
    $schema: DRAFT_07,
    type: 'object',
    properties: { pair: { type: 'array', prefixItems: [{ type: 'string' }] } },
  },
}

const OLD = showing('draft-07-schemas', [
  { tool: TUPLE, args: { label: 'x' }, structuredContent: { pair: [1, 'a'] } },
  { tool: LOOSE, args: {}, structuredContent: { pair: [1] } },
])

const [LIST, CONTROL, TUPLES, LOOSENED] = [0, 1, 2, 3]

export default clientScenario({
  title: 'The client accepts schemas that name draft-07, and reads them by that dialect',
  script: OLD,
  claims: {
    listed: 'base.json-schema.explicit-dialect',
    read: 'base.json-schema.validate-by-dialect',
  },
  *run(seen) {
    const listed = fateOf(seen, LIST)
    if (listed.good === undefined) yield unmet('the driver did not tell of the list of tools', 'listed')
    else yield judge('listed', listed.good, 'a list with schemas of draft-07 to be taken', listed.got, listed.fault)
    if (listed.good === false) {
      yield unmet('the list was not taken', 'read')
      return
    }
    if (fateOf(seen, CONTROL).good !== true) {
      yield unmet('the driver did not tell of a call of a plain tool that it succeeded', 'read')
      return
    }
    for (const [step, what] of [
      [TUPLES, 'a list as items'],
      [LOOSENED, 'prefixItems, which says nothing there'],
    ] as const) {
      const { good, got, fault } = fateOf(seen, step)
      if (good === undefined) yield unmet(`the driver did not tell of the call of a tool with ${what}`, 'read')
      // To say that the dialect is not supported is right, too.
      else if (good || !/dialect|draft|\$schema|not support/i.test(got.text))
        yield judge('read', good, `a result to be taken that fits by draft-07, with ${what}`, got, fault)
      else yield judge('read', 'bends', `a result to be taken that fits by draft-07, with ${what}`, got, fault)
    }
  },
  defects: [
    {
      named: 'drops the list because of a dialect',
      breaks: 'listed',
      kind: 'refused',
      replace: { parse: text => (text.includes('draft-07') ? undefined : JSON.parse(text)), timeoutMs: 150 },
    },
    {
      named: 'ends at a dialect that is not its own',
      breaks: 'listed',
      kind: 'died',
      replace: {
        notices: message => {
          if (JSON.stringify(message).includes('draft-07')) throw new Error('no such dialect')
        },
      },
    },
    {
      named: 'reads every schema as 2020-12',
      breaks: 'read',
      kind: 'refused',
      replace: correct => ({
        resultProblem: seen =>
          JSON.stringify(seen.tool?.outputSchema ?? '').includes('"items":[')
            ? 'items must be object or boolean'
            : correct.resultProblem(seen),
      }),
    },
    {
      named: 'keywords of 2020-12 count under draft-07, too',
      breaks: 'read',
      kind: 'refused',
      replace: correct => ({
        resultProblem: seen =>
          JSON.stringify(seen.tool?.outputSchema ?? '').includes('prefixItems')
            ? 'pair/0 must be string'
            : correct.resultProblem(seen),
      }),
    },
  ],
  variants: [{ named: 'validates nothing', replace: { resultProblem: () => undefined } }],
})
