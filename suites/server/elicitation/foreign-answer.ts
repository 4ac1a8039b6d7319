import {
  at,
  idKey,
  isResponse,
  type Json,
  judge,
  response,
  serverScenario,
  shapeOf,
  unmet,
} from '../../../src/suite/server.ts'

export default serverScenario({
  title: 'The answer to an elicitation counts only if it comes from the client that was asked',
  hello: { capabilities: { elicitation: {} } },
  needs: { via: 'http', capability: 'tools', fixture: { tool: 'test_elicitation' }, since: '2025-11-25' },
  claims: { bound: 'elicitation.security.bound-to-client-and-user' },
  async *run(peer) {
    if (peer.sessionId === undefined) {
      yield judge('bound', 'n/a', 'sessions', { text: 'no session id', frames: peer.opening?.frames ?? [] })
      return
    }
    let decide: () => void = () => {}
    const decided = new Promise<void>(resolve => {
      decide = resolve
    })
    const question = new Promise<Json | undefined>(resolve => {
      peer.on('elicitation/create', async message => {
        resolve(message.id)
        await decided
        return { result: { action: 'decline' } }
      })
    })
    const mark = peer.mark
    const call = peer.request('tools/call', { name: 'test_elicitation', arguments: { message: 'hello' } })
    const id = await Promise.race([question, call.then(() => undefined)])
    if (id === undefined) {
      yield unmet('test_elicitation did not ask')
      return
    }
    const other = await peer.another({ capabilities: { elicitation: {} } })
    const content = { username: 'intruder', email: 'intruder@example.com' }
    // Whether it is accepted with 202 or refused, it must have no effect.
    await other.http({ method: 'POST', body: response(id, { action: 'accept', content }) })
    await peer.settle()
    const early = peer
      .heard(mark)
      .filter(({ json }) => isResponse(shapeOf(json)) && idKey(at(json, 'id')) === idKey(call.id))
    decide()
    const reply = await call
    const taken = early.length > 0 || (reply.kind === 'result' && JSON.stringify(reply.result).includes('intruder'))
    yield judge('bound', !taken, 'a call that waits for the answer of its own client', early[0] ?? reply, 'accepted')
  },
  defects: [
    {
      named: 'keeps the open questions of all sessions in one place',
      breaks: 'bound',
      kind: 'accepted',
      replace: shared,
    },
  ],
  variants: [
    { named: 'no sessions', replace: { sessionIds: () => undefined, missingSession: () => undefined } },
    { named: 'never asks', replace: { elicits: () => false } },
  ],
})

function shared() {
  const questions = new Map()
  return { questions: () => questions }
}
