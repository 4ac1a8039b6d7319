import { at, isObject, type Json, judge, META, serverScenario, unmet } from '../../../src/suite/server.ts'
import { NO_OTHER, opensSessions } from '../_eras.ts'

export default serverScenario({
  title: 'server/discover is answered as the very first request, with versions and capabilities',
  needs: { since: '2026-07-28' },
  session: 'no-handshake',
  claims: {
    implemented: 'discover.implemented',
    first: 'discover.no-prior-requests-needed',
    versions: 'discover.result.supported-versions',
    capabilities: 'discover.result.capabilities',
  },
  async *run(peer) {
    // Nothing but what has to be there: to say who asks is up to the client.
    const discover = () => peer.request('server/discover', undefined, { meta: { [META.clientInfo]: undefined } })
    const first = await discover()
    const other = first.kind === 'result' ? undefined : await peer.request('tools/list')
    const reply = other === undefined ? first : await discover()
    if (reply.kind !== 'result' && other?.kind !== 'result' && (await opensSessions(peer))) {
      yield unmet(NO_OTHER)
      return
    }
    yield judge('first', first.kind === 'result', 'a result', first)
    yield judge('implemented', reply.kind === 'result', 'a result', reply)
    if (reply.kind !== 'result') return
    const versions = at(reply.result, 'supportedVersions')
    const areTexts = Array.isArray(versions) && versions.every(version => typeof version === 'string')
    const named = areTexts && versions.includes(peer.revision)
    const kind = versions === undefined ? 'missing' : areTexts ? 'wrong-value' : 'wrong-type'
    yield judge('versions', named, `supportedVersions, a list of texts with ${peer.revision} in it`, reply, kind)
    const capabilities = at(reply.result, 'capabilities')
    const odd = capabilities === undefined ? 'missing' : 'wrong-type'
    yield judge('capabilities', areCapabilities(capabilities), 'capabilities, an object of objects', reply, odd)
  },
  defects: [
    {
      named: 'does not know server/discover',
      breaks: 'implemented',
      kind: 'refused',
      also: ['first'],
      replace: { stateless: { onDiscover: () => undefined } },
    },
    {
      named: 'wants another request first',
      breaks: 'first',
      kind: 'refused',
      replace: () => {
        let heard = false
        return {
          stateless: {
            serves(version, versions, method) {
              const early = !heard && method === 'server/discover'
              heard = true
              return !early && versions.includes(version)
            },
          },
        }
      },
    },
    ...(
      [
        [undefined, 'missing'],
        ['2026-07-28', 'wrong-type'],
        [[20260728], 'wrong-type'],
        [['2099-01-01'], 'wrong-value'],
        [[], 'wrong-value'],
      ] as const
    ).map(([versions, kind]) => ({
      named: `supportedVersions is ${JSON.stringify(versions)}`,
      breaks: 'versions' as const,
      kind,
      replace: {
        stateless: {
          onDiscover: (result: Record<string, Json>) => ({ ...result, supportedVersions: versions as Json }),
        },
      },
    })),
    ...[undefined, ['tools'], { tools: true }, { tools: { listChanged: 'yes' } }].map(capabilities => ({
      named: `capabilities are ${JSON.stringify(capabilities)}`,
      breaks: 'capabilities' as const,
      kind: capabilities === undefined ? ('missing' as const) : ('wrong-type' as const),
      replace: { stateless: { onDiscover: (result: Record<string, Json>) => ({ ...result, capabilities }) } },
    })),
  ],
})

const SWITCHES = ['listChanged', 'subscribe']

const areCapabilities = (value: Json | undefined): boolean =>
  isObject(value) &&
  Object.values(value).every(
    one => isObject(one) && SWITCHES.every(name => ['undefined', 'boolean'].includes(typeof one[name])),
  )
