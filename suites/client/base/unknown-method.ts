import {
  clientScenario,
  codes,
  idKey,
  judge,
  refusalFault,
  success,
  tampers,
  unmet,
} from '../../../src/suite/client.ts'
import { idFault, QUESTIONS, UNKNOWN_METHOD, unasked } from './_base-questions.ts'

export default clientScenario({
  title: 'The client answers a request for an unknown method with error -32601 and its id',
  script: QUESTIONS,
  claims: {
    code: 'base.error.method-not-found-code',
    id: 'base.response.error-id-matches',
  },
  *run(seen) {
    const { unknown } = seen.notes
    if (unknown.length === 0) yield unmet(unasked(seen))
    else {
      for (const { id, reply } of unknown) {
        yield judge(
          'code',
          reply.kind === 'error' && reply.code === codes.methodNotFound,
          'error -32601',
          reply,
          refusalFault(reply),
        )
        if (reply.kind !== 'error') continue
        yield judge(
          'id',
          idKey(reply.id) === idKey(id),
          `an error with the id ${JSON.stringify(id)}`,
          reply,
          idFault(id, reply),
        )
      }
    }
  },
  defects: [
    {
      named: 'answers with a result',
      breaks: 'code',
      kind: 'accepted',
      replace: { onUnknownRequest: success() },
    },
    {
      named: 'answers with error -32603',
      breaks: 'code',
      kind: 'wrong-code',
      tamper: tampers.answer(UNKNOWN_METHOD, message => ({ ...message, error: { code: -32603, message: 'failed' } })),
    },
    { named: 'never answers', breaks: 'code', kind: 'silent', replace: { onUnknownRequest: () => undefined } },
    {
      named: 'turns ids into strings',
      breaks: 'id',
      kind: 'wrong-type',
      tamper: tampers.answer(UNKNOWN_METHOD, message => ({ ...message, id: String(message.id) })),
    },
    {
      named: 'errors have the id null',
      breaks: 'id',
      kind: 'wrong-type',
      tamper: tampers.answer(UNKNOWN_METHOD, message => ({ ...message, id: null })),
    },
  ],
})
