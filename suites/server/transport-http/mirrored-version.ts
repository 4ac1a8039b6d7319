import { codes, judge, META, serverScenario, unmet } from '../../../src/suite/server.ts'
import { opensSessions } from '../_eras.ts'
import { refused } from '../_refusals.ts'

const REFUSED = { code: codes.headerMismatch, status: 400 }
const OTHERS = ['1900-01-01', 'not-a-version']

export default serverScenario({
  title: 'MCP-Protocol-Version says what the message says, else the request is refused with -32020',
  needs: { since: '2026-07-28', via: 'http' },
  claims: {
    same: 'transport-http.version-header-mismatch-rejected',
    present: 'transport-http.missing-version-header-rejected',
  },
  async *run(peer) {
    const ask = (header: string | null, body: string = peer.revision) =>
      peer.request('server/discover', undefined, {
        headers: { 'MCP-Protocol-Version': header },
        meta: { [META.version]: body },
        intended: 'fault',
      })
    const control = await ask(peer.revision)
    if (control.kind !== 'result') {
      yield unmet('the control, with the version in header and message, brought no result')
      return
    }
    // One of the two is always a version that the server speaks: it can only be the difference that it refuses.
    for (const other of OTHERS) {
      yield refused('same', await ask(other), { ...REFUSED, subject: `${other} in the header` })
      yield refused('same', await ask(peer.revision, other), { ...REFUSED, subject: `${other} in the message` })
    }
    const absent = await ask(null)
    // Servers of older clients as well may take it for 2025-03-26.
    if (absent.kind === 'result' && (await opensSessions(peer)))
      yield judge('present', 'n/a', 'a server that opens no sessions', absent)
    else yield refused('present', absent, REFUSED)
  },
  defects: [
    {
      named: 'does not look at the header',
      breaks: 'same',
      kind: 'accepted',
      also: ['present'],
      replace: { stateless: { versionHeader: () => 'same' } },
    },
    {
      named: 'goes by the header',
      breaks: 'same',
      kind: 'wrong-code',
      replace: {
        stateless: {
          versionHeader: value => (value === undefined ? 'missing' : value === '2026-07-28' ? 'same' : 'other'),
        },
      },
    },
    {
      named: 'a difference with status 200',
      breaks: 'same',
      kind: 'wrong-status',
      also: ['present'],
      replace: { stateless: { statusOf: () => 200 } },
    },
    {
      named: 'a difference is an invalid request',
      breaks: 'same',
      kind: 'wrong-code',
      also: ['present'],
      replace: { stateless: { onHeader: () => ({ code: codes.invalidRequest, message: 'no' }) } },
    },
    {
      named: 'takes a missing header for the version of the message',
      breaks: 'present',
      kind: 'accepted',
      replace: {
        stateless: { versionHeader: (value, body) => (value === undefined || value === body ? 'same' : 'other') },
      },
    },
  ],
})
