import {
  codes,
  type JsonObject,
  judge,
  META,
  type Reply,
  type ServerPeer,
  serverScenario,
  unmet,
} from '../../../src/suite/server.ts'
import { opensSessions } from '../_eras.ts'
import { faultOf, refused } from '../_refusals.ts'

/** What each request lacks, as the whole of its params. */
const LACKING: Readonly<Record<string, (peer: ServerPeer) => JsonObject | undefined>> = {
  params: () => undefined,
  _meta: () => ({}),
  'members of _meta': () => ({ _meta: {} }),
  protocolVersion: () => ({ _meta: { [META.capabilities]: {} } }),
  clientCapabilities: peer => ({ _meta: { [META.version]: peer.revision } }),
}

export default serverScenario({
  title: 'A request says in _meta which version it is in and what the client can do; who asks may be left out',
  needs: { since: '2026-07-28' },
  session: 'fresh',
  claims: {
    code: 'base.meta.missing-required-rejected',
    status: 'base.meta.missing-required-http-400',
    anonymous: 'base.meta.client-info-optional-for-server',
  },
  async *run(peer) {
    const method = peer.capabilities.tools === undefined ? 'server/discover' : 'tools/list'
    const control = await peer.request(method)
    if (control.kind !== 'result') {
      yield unmet(`the control, ${method} with all that has to be there, brought no result`)
      return
    }
    const anonymous = await peer.request(method, undefined, { meta: { [META.clientInfo]: undefined } })
    yield judge('anonymous', anonymous.kind === 'result', 'a result', anonymous)
    const dual = await opensSessions(peer)
    for (const [lacks, params] of Object.entries(LACKING)) {
      // Where there are sessions as well, a request without a version may be an older one.
      if (dual && lacks !== 'clientCapabilities') continue
      const reply = await peer.request(method, params(peer), { bare: true, intended: 'fault' })
      const subject = `a request without ${lacks}`
      const due = { code: codes.invalidParams, subject }
      yield headerDiffers(reply, lacks)
        ? judge('code', 'bends', 'error -32602', reply, { kind: 'wrong-code', subject })
        : refused('code', reply, due)
      if (peer.via === 'http' && reply.kind === 'error')
        yield refused('status', reply, { code: reply.code, status: 400, subject })
    }
  },
  defects: [
    {
      named: 'asks for nothing',
      breaks: 'code',
      kind: 'accepted',
      replace: { stateless: { required: [], serves: () => true } },
    },
    {
      named: 'asks for the version only',
      breaks: 'code',
      kind: 'accepted',
      replace: { stateless: { required: [META.version] } },
    },
    {
      named: 'takes a missing version for an unsupported one',
      breaks: 'code',
      kind: 'wrong-code',
      replace: { stateless: { required: [META.capabilities] } },
    },
    {
      named: 'takes a missing member for a missing method',
      breaks: 'code',
      kind: 'wrong-code',
      replace: { stateless: { onMissing: () => ({ code: codes.methodNotFound, message: 'no' }) } },
    },
    {
      named: 'a missing member with status 200',
      breaks: 'status',
      kind: 'wrong-status',
      via: 'http',
      replace: { stateless: { statusOf: () => 200 } },
    },
    {
      named: 'asks for clientInfo',
      breaks: 'anonymous',
      kind: 'refused',
      verdict: 'warn',
      replace: { stateless: { required: [META.version, META.capabilities, META.clientInfo] } },
    },
  ],
  variants: [
    {
      named: 'finds that the header field has nothing to match',
      via: 'http',
      bends: ['code'],
      replace: {
        stateless: {
          onMissing: name => ({
            code: name === META.version ? codes.headerMismatch : codes.invalidParams,
            message: 'no',
          }),
        },
      },
    },
  ],
})

/** The header field has the version that the body has not: that may be found first. */
const headerDiffers = (reply: Reply, lacks: string): boolean =>
  lacks !== 'clientCapabilities' &&
  reply.http !== undefined &&
  faultOf(reply, { code: codes.headerMismatch }) === undefined
