import { at, codes, judge, META, STATEFUL, serverScenario } from '../../../src/suite/server.ts'
import { refused } from '../_refusals.ts'

export default serverScenario({
  title: 'A version that has sessions is not served without one',
  needs: { since: '2026-07-28' },
  session: 'fresh',
  claims: { code: 'versioning.legacy-version-in-modern-meta' },
  async *run(peer) {
    const described = await peer.request('server/discover')
    const listed = described.kind === 'result' ? at(described.result, 'supportedVersions') : undefined
    const others = STATEFUL.filter(version => !Array.isArray(listed) || !listed.includes(version))
    // What a server lists it may serve in either way: that is not defined.
    if (others.length === 0) yield judge('code', 'n/a', 'a version that the server does not list', described)
    for (const version of others) {
      const reply = await peer.request('server/discover', undefined, {
        meta: { [META.version]: version },
        intended: 'fault',
      })
      yield refused('code', reply, { code: codes.unsupportedVersion, subject: `version ${version}` })
    }
  },
  defects: [
    {
      named: 'serves older versions without a session',
      breaks: 'code',
      kind: 'accepted',
      replace: {
        stateless: {
          serves: (version, versions) => versions.includes(version) || STATEFUL.some(old => old === version),
        },
      },
    },
    {
      named: 'older versions are invalid params',
      breaks: 'code',
      kind: 'wrong-code',
      replace: { stateless: { onVersion: requested => ({ code: codes.invalidParams, data: { requested } }) } },
    },
  ],
})
