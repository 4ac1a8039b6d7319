import { clientScenario, codes } from '../../../src/suite/client.ts'
import { judgeUndeclared, refusedBy, UNDECLARED } from '../_undeclared.ts'

export default clientScenario({
  title: 'A client without roots answers roots/list with error -32601',
  script: UNDECLARED,
  claims: { declared: 'roots.capability.declared', unsupported: 'roots.error.unsupported' },
  *run(seen) {
    const words = { result: 'no roots from a client that does not declare them', code: 'error -32601' }
    yield* judgeUndeclared(seen, 'roots', words, code => (code === codes.methodNotFound ? 'holds' : 'breaks'))
  },
  defects: [
    { named: 'tells an empty list', breaks: 'declared', kind: 'accepted', replace: { serves: () => true } },
    { named: 'never answers', breaks: 'unsupported', kind: 'silent', replace: { onUnknownRequest: () => undefined } },
    { named: 'an internal error', breaks: 'unsupported', kind: 'wrong-code', replace: refusedBy(codes.internalError) },
  ],
})
