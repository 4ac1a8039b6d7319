import { callAsking, judge, type ServerPeer, serverScenario, unmet, WILLING } from '../../../src/suite/server.ts'

const NAME = 'test_sampling_with_tools'

export default serverScenario({
  title: 'A client that does not declare sampling.tools gets no sampling request with tools',
  hello: { capabilities: { sampling: {} } },
  needs: { capability: 'tools', fixture: { tool: NAME }, since: '2025-11-25' },
  claims: { plain: 'sampling.tools.server-not-undeclared' },
  async *run(peer) {
    const control = await sample(await peer.another(WILLING))
    if (!control.asked.some(usesTools)) {
      yield unmet('the control, a client that declares sampling.tools, was offered no tools either')
      return
    }
    const { reply, asked } = await sample(peer)
    const wrong = asked.find(usesTools)
    yield judge('plain', wrong === undefined, 'no request with tools or toolChoice', wrong?.frame ?? reply, 'unasked')
  },
  defects: [
    { named: 'offers tools to everybody', breaks: 'plain', kind: 'unasked', replace: { samplesWithTools: () => true } },
  ],
})

const usesTools = ({ params }: { params: object }): boolean => 'tools' in params || 'toolChoice' in params

const sample = (peer: ServerPeer) =>
  callAsking(peer, { name: NAME, arguments: { prompt: 'hello' } }, 'sampling/createMessage', () => ({
    error: { code: -1, message: 'User rejected sampling request' },
  }))
