import { clientScenario, codes, declaration, judge, tampers, unmet } from '../../../src/suite/client.ts'
import { QUESTIONS, unasked } from './_base-questions.ts'

export default clientScenario({
  title: 'The client answers a request without a required member with error -32602',
  script: QUESTIONS,
  claims: { code: 'base.error.invalid-params-code' },
  *run(seen) {
    const { lacking, told } = seen.notes
    const [first] = seen.conversations
    if (told.at(-1)?.barrier.kind !== 'result' || first === undefined) yield unmet(unasked(seen))
    else if (lacking === undefined) {
      const text = `it declares ${Object.keys(first.capabilities).join(', ') || 'nothing'}`
      yield judge('code', 'n/a', 'sampling or elicitation', declaration(seen, text))
    } else {
      const { method, reply } = lacking
      // That such a request succeeds is a matter of its method, not of the code.
      const outcome = reply.kind === 'result' ? 'n/a' : reply.kind === 'error' && reply.code === codes.invalidParams
      yield judge('code', outcome, `error -32602 to ${method} without params`, reply, 'wrong-code')
    }
  },
  defects: [
    {
      named: 'an internal error instead',
      breaks: 'code',
      kind: 'wrong-code',
      tamper: tampers.error(error =>
        error.code === codes.invalidParams ? { ...error, code: codes.internalError } : error,
      ),
    },
    {
      named: 'never answers such a request',
      breaks: 'code',
      kind: 'silent',
      replace: { drops: ({ method }) => method === 'sampling/createMessage' },
    },
  ],
  variants: [
    {
      named: 'declares nothing that could be asked',
      replace: { capabilities: () => ({}), serves: method => method === 'ping' },
    },
  ],
})
