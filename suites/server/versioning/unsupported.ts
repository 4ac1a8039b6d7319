import { at, codes, judge, META, type Reply, serverScenario, unmet } from '../../../src/suite/server.ts'
import { refused } from '../_refusals.ts'

/** No server can implement these. */
const NO_VERSIONS = ['1900-01-01', '2999-12-31', 'not-a-version']

export default serverScenario({
  title: 'A request in a version that the server does not implement is answered with error -32022',
  needs: { since: '2026-07-28' },
  // A server may look at the version of its first requests only: each of them has to be refused, wherever it stands.
  session: 'fresh',
  claims: {
    code: 'versioning.unsupported-version-error',
    supported: 'versioning.unsupported-version-data-supported',
    requested: 'versioning.unsupported-version-data-requested',
    status: 'versioning.unsupported-version-http-400',
  },
  async *run(peer) {
    const described = await peer.request('server/discover')
    const methods = ['server/discover', ...(peer.capabilities.tools === undefined ? [] : ['tools/list'])]
    for (const method of methods) {
      const control = await peer.request(method)
      if (control.kind !== 'result') {
        yield unmet(`the control, ${method} in the right version, brought no result`)
        return
      }
      for (const version of NO_VERSIONS) {
        // The header field follows the body, so that this is the only fault.
        const reply = await peer.request(method, undefined, { meta: { [META.version]: version }, intended: 'fault' })
        const subject = `${method} in version ${version}`
        yield refused('code', reply, { code: codes.unsupportedVersion, subject })
        if (reply.kind !== 'error' || reply.code !== codes.unsupportedVersion) continue
        yield judgeSupported(reply, described, peer.revision, subject)
        const requested = at(reply.data, 'requested')
        yield judge('requested', requested === version, `data.requested is ${JSON.stringify(version)}`, reply, {
          kind: requested === undefined ? 'missing' : 'wrong-value',
          subject,
        })
        if (peer.via === 'http') yield refused('status', reply, { code: reply.code, status: 400, subject })
      }
    }
  },
  defects: [
    { named: 'serves any version', breaks: 'code', kind: 'accepted', replace: { stateless: { serves: () => true } } },
    {
      named: 'looks at the version of the first request only',
      breaks: 'code',
      kind: 'accepted',
      replace: () => {
        let agreed = false
        return {
          stateless: {
            serves(version, versions) {
              agreed ||= versions.includes(version)
              return agreed
            },
          },
        }
      },
    },
    {
      named: 'the code of a draft',
      breaks: 'code',
      kind: 'wrong-code',
      replace: {
        stateless: {
          onVersion: (requested, versions) => ({ code: -32004, data: { supported: [...versions], requested } }),
        },
      },
    },
    {
      named: 'no list of versions',
      breaks: 'supported',
      kind: 'missing',
      replace: { stateless: { onVersion: requested => ({ code: codes.unsupportedVersion, data: { requested } }) } },
    },
    {
      named: 'a list of versions of other revisions',
      breaks: 'supported',
      kind: 'wrong-value',
      replace: {
        stateless: {
          onVersion: requested => ({ code: codes.unsupportedVersion, data: { requested, supported: ['2025-11-25'] } }),
        },
      },
    },
    {
      named: 'another list than that of server/discover',
      breaks: 'supported',
      kind: 'wrong-value',
      verdict: 'warn',
      replace: {
        stateless: {
          onVersion: (requested, versions) => ({
            code: codes.unsupportedVersion,
            data: { requested, supported: [...versions, '2025-11-25'] },
          }),
        },
      },
    },
    {
      named: 'does not say what was requested',
      breaks: 'requested',
      kind: 'missing',
      replace: {
        stateless: {
          onVersion: (_requested, versions) => ({ code: codes.unsupportedVersion, data: { supported: [...versions] } }),
        },
      },
    },
    {
      named: 'the version with status 200',
      breaks: 'status',
      kind: 'wrong-status',
      via: 'http',
      replace: { stateless: { statusOf: () => 200 } },
    },
  ],
})

/** The lists of one server are the same list; the order is nobody's business. */
function judgeSupported(reply: Extract<Reply, { kind: 'error' }>, described: Reply, revision: string, subject: string) {
  const supported = at(reply.data, 'supported')
  const areTexts = Array.isArray(supported) && supported.every(version => typeof version === 'string')
  const named = areTexts && supported.includes(revision)
  const discovered = described.kind === 'result' ? at(described.result, 'supportedVersions') : undefined
  const same = named && Array.isArray(discovered) && listed(supported) === listed(discovered)
  const kind = supported === undefined ? 'missing' : areTexts ? 'wrong-value' : 'wrong-type'
  const outcome = same ? 'holds' : named ? 'bends' : 'breaks'
  return judge('supported', outcome, `data.supported as server/discover lists it, with ${revision}`, reply, {
    kind,
    subject,
  })
}

const listed = (versions: readonly unknown[]): string => JSON.stringify([...versions].sort())
