import { callAsking, judge, type ServerPeer, serverScenario, unmet } from '../../../src/suite/server.ts'

export default serverScenario({
  title: 'A client that declares the mode url only is not asked by form',
  hello: { capabilities: { elicitation: { url: {} } } },
  needs: { capability: 'tools', fixture: { tool: 'test_elicitation' }, since: '2025-11-25' },
  claims: { modes: 'elicitation.capability.server-only-supported-modes' },
  async *run(peer) {
    const control = await call(await peer.another({ capabilities: { elicitation: { form: {} } } }))
    if (control.asked.length === 0) {
      yield unmet('the control, a client that declares the mode form, was not asked')
      return
    }
    const { reply, asked } = await call(peer)
    yield judge('modes', asked.length === 0, 'only modes that the client declared', asked[0]?.frame ?? reply, 'unasked')
  },
  defects: [{ named: 'asks by form all the same', breaks: 'modes', kind: 'unasked', replace: { elicits: () => true } }],
})

const call = (peer: ServerPeer) =>
  callAsking(peer, { name: 'test_elicitation', arguments: { message: 'hello' } }, 'elicitation/create', () => ({
    result: { action: 'decline' },
  }))
