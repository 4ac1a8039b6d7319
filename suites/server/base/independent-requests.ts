import { codes, judge, META, type Reply, serverScenario, unmet } from '../../../src/suite/server.ts'
import { NO_OTHER, opensSessions } from '../_eras.ts'

export default serverScenario({
  title: 'Each request is answered on its own, whatever was said before it',
  needs: { since: '2026-07-28' },
  session: 'no-handshake',
  claims: { alone: 'base.stateless.no-reliance-on-prior-requests' },
  async *run(peer) {
    const judged = (reply: Reply, subject: string) =>
      judge('alone', isAnswered(reply), 'the answer of a server that remembers nothing', reply, { subject })
    const first = await peer.request('tools/list')
    if (!isAnswered(first)) {
      const discovered = await peer.request('server/discover')
      if (discovered.kind !== 'result' && (await opensSessions(peer))) {
        yield unmet(NO_OTHER)
        return
      }
    }
    yield judged(first, 'the first request')
    await peer.request('tools/list', undefined, { meta: { [META.version]: '1900-01-01' }, intended: 'fault' })
    yield judged(await peer.request('tools/list'), 'a request behind one in an unknown version')
    await peer.request('tools/list', {}, { bare: true, intended: 'fault' })
    yield judged(await peer.request('tools/list'), 'a request behind one without _meta')
  },
  defects: [
    {
      named: 'wants server/discover first',
      breaks: 'alone',
      kind: 'refused',
      replace: () => {
        let discovered = false
        return {
          stateless: {
            serves(version, versions, method) {
              discovered ||= method === 'server/discover'
              return discovered && versions.includes(version)
            },
          },
        }
      },
    },
    {
      named: 'remembers the version that was refused',
      breaks: 'alone',
      kind: 'refused',
      replace: () => {
        let refused = false
        return {
          stateless: {
            serves(version, versions) {
              refused ||= !versions.includes(version)
              return !refused
            },
          },
        }
      },
    },
  ],
})

/** A server without tools says so, and has answered. */
const isAnswered = (reply: Reply): boolean =>
  reply.kind === 'result' || (reply.kind === 'error' && reply.code === codes.methodNotFound)
