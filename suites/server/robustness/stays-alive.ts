import { judge, serverScenario } from '../../../src/suite/server.ts'

export default serverScenario({
  title: 'The process lives, and keeps its stdout open, as long as its stdin is open',
  needs: { via: 'stdio' },
  session: 'process',
  claims: { lives: 'robustness.process.stays-alive' },
  async *run(peer) {
    const methods = [
      'ping',
      ...['tools', 'resources', 'prompts']
        .filter(name => peer.capabilities[name] !== undefined)
        .map(name => `${name}/list`),
    ]
    for (const method of methods) {
      const reply = await peer.request(method)
      yield judge(
        'lives',
        !(reply.kind === 'none' && reply.why === 'closed'),
        `an open stdout behind ${method}`,
        reply,
        {
          subject: method,
        },
      )
      if (reply.kind === 'none') return
    }
    // A server may also end because it has nothing to do.
    await peer.watch()
    const last = await peer.request('ping')
    yield judge('lives', !(last.kind === 'none' && last.why === 'closed'), 'an open stdout after a pause', last, {
      subject: 'a pause',
    })
  },
  defects: [
    { named: 'ends after one request', breaks: 'lives', kind: 'died', program: 'serves-once' },
    { named: 'closes its stdout', breaks: 'lives', kind: 'died', program: 'closes-stdout' },
  ],
})
