import {
  codes,
  judge,
  listAll,
  type Outcome,
  type Reply,
  refusal,
  serverScenario,
  tampers,
  unmet,
} from '../../../src/suite/server.ts'

const FIXTURE = 'test://failing/{id}'
const URI = 'test://failing/1'

export default serverScenario({
  title: 'A resource whose reading fails unexpectedly gets error -32603',
  needs: { capability: 'resources' },
  claims: { code: 'resources.errors.internal' },
  async *run(peer) {
    const { entries } = await listAll(peer, 'resources/templates/list', 'resourceTemplates')
    if (!entries.some(({ uriTemplate }) => uriTemplate === FIXTURE)) {
      yield unmet(`fixture ${FIXTURE} not offered`)
      return
    }
    const reply = await peer.request('resources/read', { uri: URI })
    if (reply.kind === 'result') yield unmet(`fixture ${FIXTURE} does not fail`)
    else yield judge('code', outcomeOf(reply), 'error -32603', reply, 'wrong-code')
  },
  defects: [
    {
      named: 'says that there is none',
      breaks: 'code',
      kind: 'wrong-code',
      replace: { onException: refusal(-32002, 'It failed') },
    },
    { named: 'the code 1', breaks: 'code', kind: 'wrong-code', replace: { onException: refusal(1, 'It failed') } },
    { named: 'is silent for ever', breaks: 'code', kind: 'silent', replace: { onException: () => undefined } },
  ],
  variants: [
    { named: 'a code of its own', bends: ['code'], replace: { onException: refusal(-32050, 'It failed') } },
    {
      named: 'no fixture',
      tamper: tampers.result('resources/templates/list', () => ({ resourceTemplates: [] })),
    },
  ],
})

/** From -32000 to -32099 a server may name its own failures, but -32002 says something else. */
function outcomeOf(reply: Reply): Outcome {
  if (reply.kind !== 'error') return 'breaks'
  if (reply.code === codes.internalError) return 'holds'
  return reply.code <= -32000 && reply.code >= -32099 && reply.code !== codes.resourceNotFound ? 'bends' : 'breaks'
}
