import { judge, serverScenario } from '../../../src/suite/server.ts'

export default serverScenario({
  title: 'A server that runs on this host listens on loopback only',
  needs: { via: 'http' },
  claims: { bound: 'transport-http.bind.localhost' },
  async *run(peer) {
    const reach = await peer.reachableElsewhere()
    if (reach === undefined) {
      const text = 'we did not start the server, or this host has no other address'
      yield judge('bound', 'n/a', 'a server that we started', { text, frames: [] })
      return
    }
    const text =
      reach.open.length === 0
        ? `no connection at ${reach.tried.join(', ')}`
        : `a connection at ${reach.open.join(', ')}`
    yield judge('bound', reach.open.length === 0, 'connections at loopback only', { text, frames: [] }, 'accepted')
  },
  defects: [{ named: 'listens on every interface', breaks: 'bound', kind: 'accepted', replace: { bind: '0.0.0.0' } }],
})
