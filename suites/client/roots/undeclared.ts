import { codeOf, declaration, declared } from '../../../src/suite/asking-clients.ts'
import { UNDECLARED } from '../../../src/suite/scripts/undeclared.ts'
import { clientScenario, codes, judge, undone, unmet } from '../../../src/suite.ts'

export default clientScenario({
  title: 'A client without roots says that it does not know the request for them',
  script: UNDECLARED,
  claims: { declared: 'roots.capability.declared', unsupported: 'roots.error.unsupported' },
  *run(seen) {
    const { roots } = seen.notes
    if (roots === undefined) {
      yield unmet(undone(seen, 'list the tools'))
    } else if (declared(seen, 'roots') !== undefined) {
      const got = declaration(seen, 'it declares roots, though it was told to declare nothing')
      yield judge('declared', 'n/a', 'a client without roots', got)
      yield judge('unsupported', 'n/a', 'a client without roots', got)
    } else {
      yield judge('declared', roots.kind !== 'result', 'no roots from a client that does not declare them', roots)
      if (roots.kind === 'result') yield unmet('it has roots, though it does not declare them', 'unsupported')
      else yield judge('unsupported', codeOf(roots) === codes.methodNotFound, 'error -32601', roots)
    }
  },
  defects: [
    { named: 'tells an empty list', breaks: 'declared', replace: { serves: () => true } },
    {
      named: 'an internal error',
      breaks: 'unsupported',
      replace: {
        onUnknownRequest: ({ id }) => ({ jsonrpc: '2.0', id, error: { code: -32603, message: 'Not implemented' } }),
      },
    },
    { named: 'never answers', breaks: 'unsupported', replace: { onUnknownRequest: () => undefined } },
  ],
})
