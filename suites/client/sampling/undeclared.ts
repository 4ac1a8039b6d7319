import { clientScenario, codes } from '../../../src/suite/client.ts'
import { judgeUndeclared, refusedBy, servedAnyway, UNDECLARED } from '../_undeclared.ts'

export default clientScenario({
  title: 'A client without sampling answers sampling/createMessage with error -32601',
  script: UNDECLARED,
  claims: { declared: 'sampling.capability.declared', unsupported: 'sampling.error.undeclared' },
  *run(seen) {
    const words = { result: 'no answer of a model that is not declared', code: 'error -32601' }
    yield* judgeUndeclared(seen, 'sampling', words, code =>
      code === codes.methodNotFound ? 'holds' : code === undefined ? 'breaks' : 'bends',
    )
  },
  defects: [
    {
      named: 'has a model all the same',
      breaks: 'declared',
      kind: 'accepted',
      replace: servedAnyway('sampling/createMessage', {
        role: 'assistant',
        content: { type: 'text', text: 'Hello.' },
        model: 'a-1',
      }),
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
