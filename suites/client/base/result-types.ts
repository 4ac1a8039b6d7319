import {
  type CallAnswer,
  clientScenario,
  fateOfStep,
  judge,
  script,
  sent,
  took,
  undone,
  unmet,
} from '../../../src/suite/client.ts'

const UNKNOWN = { content: [{ type: 'text', text: 'A text' }], resultType: 'x-conformance-unknown' }
const TOOL = { name: 'unknown_type', description: 'A tool', inputSchema: { type: 'object', properties: {} } }

/** A call with a result of a type that is not defined. */
const ODD_TYPE = script({
  drive: {
    name: 'result-types',
    steps: [{ request: 'tools/list' }, { request: 'tools/call', params: { name: TOOL.name, arguments: {} } }],
  },
  setup: () => ({ tools: [TOOL], calls: { unknown_type: (): CallAnswer => ({ result: UNKNOWN }) } }),
})

// What a result without a type is, is left open where the server is one of this revision: there it has to be there.
export default clientScenario({
  title: 'The client uses no result of an unknown type',
  needs: { since: '2026-07-28' },
  script: ODD_TYPE,
  claims: { rejects: 'base.result.client-rejects-unknown-result-type' },
  *run(seen) {
    if (sent(seen, 'tools/call').length === 0) yield unmet(undone(seen, 'call a tool'))
    else if (!seen.steps.has(1)) yield unmet('the driver does not tell what became of the call')
    else yield judge('rejects', took(seen, 1) === false, 'a failure, not a result', fateOfStep(seen, 1), 'accepted')
  },
  defects: [
    {
      named: 'looks at no type',
      breaks: 'rejects',
      kind: 'accepted',
      replace: correct => ({ modern: { ...correct.modern, knowsResultType: () => true } }),
    },
  ],
})
