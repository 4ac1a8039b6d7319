import { clientScenario, crashed, endKind, fateOfClient, judge, unmet } from '../../../src/suite/client.ts'
import { fateOf, showing } from './_dialects.ts'

const UNKNOWN = 'https://example.com/no-such-dialect'

const STRANGE = showing('unknown-dialect', [
  {
    tool: {
      name: 'strange',
      inputSchema: { $schema: UNKNOWN, type: 'object', shape: 'anything' },
      outputSchema: { $schema: UNKNOWN, type: 'object', shape: 'anything' },
    },
    args: {},
    structuredContent: { anything: 1 },
  },
])

const [LIST, CONTROL, , AGAIN] = [0, 1, 2, 3]

export default clientScenario({
  title: 'The client stays usable when the schema of a tool names an unknown dialect',
  script: STRANGE,
  claims: { usable: 'base.json-schema.unsupported-dialect-error' },
  *run(seen) {
    if (crashed(seen)) {
      yield judge('usable', false, 'a client that lives', fateOfClient(seen), endKind(seen))
      return
    }
    // The strange tool itself may fail or succeed: an error that says so is right, and so is to ignore the schema.
    for (const [step, what] of [
      [LIST, 'the list with a plain tool in it to be taken'],
      [CONTROL, 'a call of the plain tool to succeed'],
      [AGAIN, 'a call of the plain tool to succeed, behind one of the strange one'],
    ] as const) {
      const { good, got, fault } = fateOf(seen, step)
      if (good === undefined) yield unmet('the driver did not tell what became of its steps')
      else yield judge('usable', good, what, got, fault)
      if (good !== true) return
    }
  },
  defects: [
    {
      named: 'drops the list because of one dialect',
      breaks: 'usable',
      kind: 'refused',
      replace: { parse: text => (text.includes(UNKNOWN) ? undefined : JSON.parse(text)), timeoutMs: 150 },
    },
    {
      named: 'crashes at it',
      breaks: 'usable',
      kind: 'died',
      replace: correct => ({
        resultProblem: seen => {
          if (JSON.stringify(seen.tool ?? '').includes(UNKNOWN)) throw new Error(`no schema with the key ${UNKNOWN}`)
          return correct.resultProblem(seen)
        },
      }),
    },
  ],
  variants: [{ named: 'validates nothing', replace: { resultProblem: () => undefined } }],
})
