import {
  type Answers,
  askInTurn,
  clientScenario,
  codeOf,
  codes,
  declaration,
  declared,
  isObject,
  judge,
  refusal,
  refusalFault,
  script,
  undone,
  unmet,
} from '../../../src/suite/client.ts'
import { PROMPT } from '../_plain-questions.ts'

/** One plain question for the model, while the client waits for its tools. */
const ASKING = script({
  drive: { name: 'initialize' },
  notes: (): Answers<'plain'> => ({}),
  play(server, notes) {
    server.on('tools/list', async call => {
      const odd = !isObject(call.conversation.capabilities.sampling)
      await askInTurn(call, notes, { plain: { method: 'sampling/createMessage', params: PROMPT, odd } })
      return { result: { tools: [] } }
    })
  },
})

export default clientScenario({
  title: 'The client serves sampling only if it declares it',
  script: ASKING,
  claims: { declared: 'sampling.capability.declared', unsupported: 'sampling.error.undeclared' },
  *run(seen) {
    const { plain } = seen.notes
    if (plain === undefined) {
      yield unmet(undone(seen, 'list the tools'))
    } else if (declared(seen, 'sampling') !== undefined) {
      yield judge('unsupported', 'n/a', 'no sampling', declaration(seen, 'it declares sampling'))
      // A model that is not there, or a user who refuses, contradicts nothing; a request that is not known does.
      const unknown = codeOf(plain) === codes.methodNotFound
      if (plain.kind === 'none') yield unmet('the model was asked and nobody answered', 'declared')
      else yield judge('declared', unknown ? 'breaks' : 'holds', 'an answer of its model or its user', plain)
    } else {
      yield judge('declared', plain.kind !== 'result', 'no answer of a model that is not declared', plain, 'accepted')
      const code = codeOf(plain)
      const outcome = code === codes.methodNotFound ? 'holds' : code === undefined ? 'breaks' : 'bends'
      if (plain.kind === 'result') yield unmet('it samples, though it does not declare it', 'unsupported')
      else yield judge('unsupported', outcome, 'error -32601', plain, refusalFault(plain))
    }
  },
  defects: [
    {
      named: 'samples without having declared it',
      breaks: 'declared',
      kind: 'accepted',
      replace: { capabilities: () => ({}), serves: () => true },
    },
    {
      named: 'declares sampling and does not know the request',
      breaks: 'declared',
      kind: 'refused',
      replace: { serves: method => method === 'ping' },
    },
    {
      named: 'does not answer what it does not know',
      breaks: 'unsupported',
      kind: 'silent',
      replace: { capabilities: () => ({}), onUnknownRequest: () => undefined },
    },
    {
      named: 'says that the params are invalid',
      breaks: 'unsupported',
      kind: 'wrong-code',
      verdict: 'info',
      replace: {
        capabilities: () => ({}),
        onUnknownRequest: refusal(codes.invalidParams, 'Invalid params'),
      },
    },
  ],
  variants: [{ named: 'declares nothing', shows: ['declared', 'unsupported'], replace: { capabilities: () => ({}) } }],
})
