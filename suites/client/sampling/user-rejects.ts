import {
  type Answers,
  askInTurn,
  clientScenario,
  codeOf,
  judge,
  refusalFault,
  script,
  tampers,
  undone,
  unmet,
} from '../../../src/suite/client.ts'
import { PROMPT } from '../_plain-questions.ts'

/** Outside the codes that JSON-RPC keeps for itself, and given by the specification. */
const REJECTED = -1

const REJECTING = script({
  drive: {
    name: 'sampling-rejected',
    client: { sampling: { error: { code: REJECTED, message: 'User rejected sampling request' } } },
    steps: [{ request: 'tools/list' }],
  },
  notes: (): Answers<'plain'> => ({}),
  play(server, notes) {
    server.on('tools/list', async call => {
      if (call.conversation.capabilities.sampling !== undefined)
        await askInTurn(call, notes, { plain: { method: 'sampling/createMessage', params: PROMPT } })
      return { result: { tools: [] } }
    })
  },
})

export default clientScenario({
  title: 'The client answers with error -1 when its user rejects a sampling request',
  needs: { capability: 'sampling' },
  script: REJECTING,
  claims: { rejected: 'sampling.error.user-rejected' },
  *run(seen) {
    const { plain } = seen.notes
    if (plain === undefined) yield unmet(undone(seen, 'list the tools'))
    else yield judge('rejected', codeOf(plain) === REJECTED, `error ${REJECTED}`, plain, refusalFault(plain))
  },
  defects: [
    {
      named: 'an internal error',
      breaks: 'rejected',
      kind: 'wrong-code',
      tamper: tampers.error(error => ({ ...error, code: -32603 })),
    },
    {
      named: 'the refusal as an answer of the model',
      breaks: 'rejected',
      kind: 'accepted',
      replace: ({ sampling }) => ({
        sampling: {
          ...sampling,
          refuses: () => ({
            result: { role: 'assistant', content: { type: 'text', text: 'The user refused.' }, model: 'none' },
          }),
        },
      }),
    },
    {
      named: 'says nothing',
      breaks: 'rejected',
      kind: 'silent',
      tamper: tampers.answer('sampling/createMessage', () => []),
    },
  ],
})
