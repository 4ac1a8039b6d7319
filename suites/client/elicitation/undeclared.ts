import { clientScenario, codes } from '../../../src/suite/client.ts'
import { judgeUndeclared, refusedBy, servedAnyway, UNDECLARED } from '../_undeclared.ts'

export default clientScenario({
  title: 'A client without elicitation refuses elicitation/create',
  script: UNDECLARED,
  claims: { declared: 'elicitation.capability.declared', unsupported: 'elicitation.error.capability-undeclared' },
  *run(seen) {
    const words = { result: 'nothing asked without the capability', code: 'error -32601 (or -32602)' }
    // The specification has no code for this case: any other error is one, too.
    yield* judgeUndeclared(seen, 'elicitation', words, code =>
      code === codes.methodNotFound || code === codes.invalidParams ? 'holds' : code === undefined ? 'breaks' : 'bends',
    )
  },
  defects: [
    {
      named: 'declines for its user',
      breaks: 'declared',
      kind: 'accepted',
      replace: servedAnyway('elicitation/create', { action: 'decline' }),
    },
    { named: 'never answers', breaks: 'unsupported', kind: 'silent', replace: { onUnknownRequest: () => undefined } },
    {
      named: 'an internal error',
      breaks: 'unsupported',
      kind: 'wrong-code',
      verdict: 'info',
      replace: refusedBy(codes.internalError),
    },
  ],
})
