import {
  type CallAnswer,
  clientScenario,
  fateOfStep,
  judge,
  judgeTaken,
  response,
  script,
  sent,
  took,
  undone,
  unmet,
} from '../../../src/suite/client.ts'

const CONTENT = { content: [{ type: 'text', text: 'A text' }] }
const INPUT = { type: 'object', properties: {} }

/** A call with a result of a type that is not defined, and one with a result that names none. */
const ODD_TYPES = script({
  drive: {
    name: 'result-types',
    steps: [
      { request: 'tools/list' },
      { request: 'tools/call', params: { name: 'unknown_type', arguments: {} } },
      { request: 'tools/call', params: { name: 'no_type', arguments: {} } },
    ],
  },
  setup: () => ({
    tools: ['unknown_type', 'no_type'].map(name => ({ name, description: 'A tool', inputSchema: INPUT })),
    calls: {
      unknown_type: (): CallAnswer => ({ result: { ...CONTENT, resultType: 'x-conformance-unknown' } }),
      no_type: ({ id }): CallAnswer => ({ messages: [response(id, CONTENT)] }),
    },
  }),
})

export default clientScenario({
  title: 'The client uses no result of an unknown type, and takes one that names no type for complete',
  needs: { since: '2026-07-28' },
  script: ODD_TYPES,
  claims: {
    rejects: 'base.result.client-rejects-unknown-result-type',
    defaults: 'base.result.client-defaults-absent-result-type',
  },
  *run(seen) {
    const calls = sent(seen, 'tools/call')
    if (calls.length === 0) {
      yield unmet(undone(seen, 'call a tool'))
      return
    }
    if (seen.steps.get(1) === undefined) yield unmet('the driver does not tell what became of the call', 'rejects')
    else yield judge('rejects', took(seen, 1) !== true, 'a failure, not a result', fateOfStep(seen, 1), 'accepted')
    // Servers of older revisions name none; one of this revision should: a client may mind that.
    yield* judgeTaken('defaults', seen, {
      step: 2,
      next: calls[2],
      expected: 'the result is taken',
      wrong: 'bends',
    })
  },
  defects: [
    {
      named: 'looks at no type',
      breaks: 'rejects',
      kind: 'accepted',
      replace: correct => ({ modern: { ...correct.modern, knowsResultType: () => true } }),
    },
    {
      named: 'wants a type',
      breaks: 'defaults',
      kind: 'refused',
      verdict: 'warn',
      replace: correct => ({ modern: { ...correct.modern, knowsResultType: type => type === 'complete' } }),
    },
  ],
})
