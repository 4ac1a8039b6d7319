import { failure, judge, serverScenario } from '../../../src/suite/server.ts'

export default serverScenario({
  title: 'Unknown and experimental capabilities of the client do not disturb the server',
  claims: { tolerated: 'lifecycle.capabilities.unknown-tolerated' },
  async *run(peer) {
    // The control is the shared session itself: the same handshake without the unusual entries.
    if (peer.opening?.kind !== 'result') return
    const unusual = await peer.another({
      capabilities: { experimental: { 'com.example/x': {} }, 'x-conformance': { depth: [1, { deep: true }] } },
    })
    const opening = unusual.opening
    if (opening === undefined) return
    yield judge('tolerated', opening.kind === 'result', 'a normal handshake', opening)
    if (opening.kind !== 'result') return
    const ping = await unusual.request('ping')
    yield judge('tolerated', ping.kind === 'result', 'an answer to ping', ping)
  },
  defects: [
    {
      named: 'refuses capabilities that it does not know',
      breaks: 'tolerated',
      kind: 'refused',
      tamper: out => {
        const { cause } = out.layer === 'message' ? out : {}
        if (out.layer !== 'message' || !JSON.stringify(cause ?? {}).includes('x-conformance')) return [out]
        return [{ ...out, message: failure(cause?.id ?? 0, -32602, 'unknown capability') }]
      },
    },
  ],
})
