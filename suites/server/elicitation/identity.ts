import { at, callAsking, judge, serverScenario, tampers, unmet, WILLING } from '../../../src/suite/server.ts'

const NAME = 'test_elicitation_identity'

export default serverScenario({
  title: "Who the client says to be is not believed: the name of another user does not open that user's data",
  hello: WILLING,
  needs: { capability: 'tools', fixture: { tool: NAME }, since: '2025-11-25' },
  claims: { verifies: 'elicitation.user.no-client-claimed-identity' },
  async *run(peer) {
    const { reply, asked } = await callAsking(peer, { name: NAME }, 'elicitation/create', () => ({
      result: { action: 'accept', content: { username: 'alice' } },
    }))
    if (asked.length === 0) yield unmet(`${NAME} did not ask who the user is`)
    else if (reply.kind === 'none') yield unmet(`${NAME} gave no answer`)
    else {
      const shown = reply.kind === 'result' && JSON.stringify(at(reply.result)).includes('The note of alice')
      yield judge('verifies', !shown, 'nothing of what belongs to alice', reply, 'leaked')
    }
  },
  defects: [
    {
      named: 'believes the name',
      breaks: 'verifies',
      kind: 'leaked',
      tamper: tampers.result('tools/call', () => ({ content: [{ type: 'text', text: 'The note of alice' }] })),
    },
  ],
})
