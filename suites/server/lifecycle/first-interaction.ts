import { isObject, judge, serverScenario, unmet } from '../../../src/suite/server.ts'

export default serverScenario({
  title: 'A request that comes before initialize is not served',
  claims: { first: 'lifecycle.init.first-interaction' },
  async *run(peer) {
    const capability = ['tools', 'resources', 'prompts'].find(name => isObject(peer.capabilities[name]))
    if (capability === undefined) {
      yield unmet('the server declares nothing that could be listed')
      return
    }
    const control = await peer.request(`${capability}/list`)
    if (control.kind !== 'result') {
      yield unmet(`${capability}/list gets no result after the handshake either`)
      return
    }
    if (peer.via === 'http' && peer.sessionId === undefined) {
      // Nothing tells such a server which requests belong together, so there is no first one.
      yield judge('first', 'n/a', 'only judged where the server has sessions', control)
      return
    }
    const early = await peer.another('no-handshake')
    const reply = await early.request(`${capability}/list`)
    // No sentence obliges the server to refuse; the order is the client's duty first of all.
    yield judge('first', reply.kind === 'result' ? 'bends' : 'holds', 'no result before initialize', reply, 'accepted')
  },
  defects: [
    {
      named: 'serves everybody at once',
      breaks: 'first',
      kind: 'accepted',
      replace: { beforeInitialize: () => 'serve', missingSession: () => undefined },
    },
  ],
  variants: [
    {
      named: 'no sessions',
      via: 'http',
      replace: { sessionIds: () => undefined, missingSession: () => undefined, beforeInitialize: () => 'serve' },
    },
    { named: 'declares prompts only', replace: { capabilities: { prompts: {} } } },
    { named: 'declares nothing', replace: { capabilities: {} } },
  ],
})
