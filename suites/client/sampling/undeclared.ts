import { codeOf, declaration, declared } from '../../../src/suite/asking-clients.ts'
import { UNDECLARED } from '../../../src/suite/scripts/undeclared.ts'
import { clientScenario, codes, judge, undone, unmet } from '../../../src/suite.ts'

export default clientScenario({
  title: 'A client without sampling says that it does not know the request',
  script: UNDECLARED,
  claims: { declared: 'sampling.capability.declared', unsupported: 'sampling.error.undeclared' },
  *run(seen) {
    const { sampling } = seen.notes
    if (sampling === undefined) {
      yield unmet(undone(seen, 'list the tools'))
    } else if (declared(seen, 'sampling') !== undefined) {
      const got = declaration(seen, 'it declares sampling, though it was told to declare nothing')
      yield judge('declared', 'n/a', 'a client without sampling', got)
      yield judge('unsupported', 'n/a', 'a client without sampling', got)
    } else {
      yield judge('declared', sampling.kind !== 'result', 'no answer of a model that is not declared', sampling)
      const code = codeOf(sampling)
      const outcome = code === codes.methodNotFound ? 'holds' : code === undefined ? 'breaks' : 'bends'
      if (sampling.kind === 'result') yield unmet('it samples, though it does not declare it', 'unsupported')
      else yield judge('unsupported', outcome, 'error -32601', sampling)
    }
  },
  defects: [
    {
      named: 'has a model all the same',
      breaks: 'declared',
      replace: {
        onUnknownRequest: ({ id, method }) =>
          method === 'sampling/createMessage'
            ? {
                jsonrpc: '2.0',
                id,
                result: { role: 'assistant', content: { type: 'text', text: 'Hello.' }, model: 'a-1' },
              }
            : { jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } },
      },
    },
    { named: 'never answers', breaks: 'unsupported', replace: { onUnknownRequest: () => undefined } },
    {
      named: 'an internal error',
      breaks: 'unsupported',
      replace: {
        onUnknownRequest: ({ id }) => ({ jsonrpc: '2.0', id, error: { code: -32603, message: 'Not implemented' } }),
      },
    },
  ],
})
