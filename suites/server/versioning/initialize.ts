import { codes, judge, serverScenario } from '../../../src/suite/server.ts'
import { initialize } from '../_eras.ts'

export default serverScenario({
  title: 'A server without sessions refuses initialize, and says which versions it speaks',
  needs: { since: '2026-07-28' },
  session: 'no-handshake',
  claims: {
    refused: 'versioning.initialize-rejected-by-modern-only',
    names: 'versioning.initialize-error-names-versions',
  },
  async *run(peer) {
    const reply = await initialize(peer)
    if (reply.kind === 'result') {
      for (const claim of ['refused', 'names'] as const)
        yield judge(claim, 'n/a', 'a server that opens no sessions', reply)
      return
    }
    // Which code is up to the server.
    const status = reply.http?.status ?? 400
    const isRefused = status === 400 && (reply.kind === 'error' || reply.kind === 'http-error')
    yield judge('refused', isRefused, 'an error, over HTTP with status 400', reply, 'wrong-status')
    if (reply.kind !== 'error') return
    const named = JSON.stringify(reply.error).includes(peer.revision)
    yield judge('names', named, `an error that names version ${peer.revision}`, reply, 'missing')
  },
  defects: [
    {
      named: 'leaves initialize without answer',
      breaks: 'refused',
      kind: 'silent',
      replace: { drops: ({ method }) => method === 'initialize' },
    },
    {
      named: 'refuses initialize with status 500',
      breaks: 'refused',
      kind: 'wrong-status',
      via: 'http',
      replace: { stateless: { statusOf: () => 500 } },
    },
    {
      named: 'names no versions',
      breaks: 'names',
      kind: 'missing',
      replace: { stateless: { onInitialize: () => ({ code: codes.invalidRequest, message: 'no' }) } },
    },
  ],
})
