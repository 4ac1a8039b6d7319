import { codeOf, declaration, declared } from '../../../src/suite/asking-clients.ts'
import { UNDECLARED } from '../../../src/suite/scripts/undeclared.ts'
import { clientScenario, codes, judge, undone, unmet } from '../../../src/suite.ts'

export default clientScenario({
  title: 'A client without elicitation refuses to ask its user',
  script: UNDECLARED,
  claims: { declared: 'elicitation.capability.declared', unsupported: 'elicitation.error.capability-undeclared' },
  *run(seen) {
    const { elicitation } = seen.notes
    if (elicitation === undefined) {
      yield unmet(undone(seen, 'list the tools'))
    } else if (declared(seen, 'elicitation') !== undefined) {
      const got = declaration(seen, 'it declares elicitation, though it was told to declare nothing')
      yield judge('declared', 'n/a', 'a client without elicitation', got)
      yield judge('unsupported', 'n/a', 'a client without elicitation', got)
    } else {
      yield judge('declared', elicitation.kind !== 'result', 'nothing asked without the capability', elicitation)
      const code = codeOf(elicitation)
      const refused = code === codes.methodNotFound || code === codes.invalidParams
      // The specification has no code for this case: any other error is one, too.
      const outcome = refused ? 'holds' : code === undefined ? 'breaks' : 'bends'
      if (elicitation.kind === 'result') yield unmet('it asks its user, though it does not declare that', 'unsupported')
      else yield judge('unsupported', outcome, 'error -32601 (or -32602)', elicitation)
    }
  },
  defects: [
    {
      named: 'declines for its user',
      breaks: 'declared',
      replace: {
        onUnknownRequest: ({ id, method }) =>
          method === 'elicitation/create'
            ? { jsonrpc: '2.0', id, result: { action: 'decline' } }
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
