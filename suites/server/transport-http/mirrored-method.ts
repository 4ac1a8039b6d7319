import { codes, serverScenario, unmet } from '../../../src/suite/server.ts'
import { refused } from '../_refusals.ts'

const REFUSED = { code: codes.headerMismatch, status: 400 }

export default serverScenario({
  title: 'Mcp-Method says what the message says, else the request is refused with -32020',
  needs: { since: '2026-07-28', via: 'http' },
  claims: {
    present: 'transport-http.mcp-method-missing-rejected',
    same: 'transport-http.mcp-method-mismatch-rejected',
    exact: 'transport-http.header-values-case-sensitive',
  },
  async *run(peer) {
    const methods = ['server/discover', ...(peer.capabilities.tools === undefined ? [] : ['tools/list'])]
    for (const method of methods) {
      const ask = (header: string | null) =>
        peer.request(method, undefined, { headers: { 'Mcp-Method': header }, intended: 'fault' })
      const control = await ask(method)
      if (control.kind !== 'result') {
        yield unmet(`the control, ${method} with its name in the header, brought no result`)
        return
      }
      const due = { ...REFUSED, subject: method }
      yield refused('present', await ask(null), due)
      for (const other of ['prompts/list', 'x-conformance/no-such-method']) yield refused('same', await ask(other), due)
      yield refused('exact', await ask(method.toUpperCase()), due)
    }
  },
  defects: [
    {
      named: 'does not look at the header',
      breaks: 'same',
      kind: 'accepted',
      also: ['present', 'exact'],
      replace: { stateless: { methodHeader: () => 'same' } },
    },
    {
      named: 'does not miss the header',
      breaks: 'present',
      kind: 'accepted',
      replace: {
        stateless: { methodHeader: (value, body) => (value === undefined || value === body ? 'same' : 'other') },
      },
    },
    {
      named: 'a missing header is an invalid request',
      breaks: 'present',
      kind: 'wrong-code',
      replace: {
        stateless: {
          onHeader: (name, problem) => ({
            code: name === 'Mcp-Method' && problem === 'missing' ? codes.invalidRequest : codes.headerMismatch,
            message: 'no',
          }),
        },
      },
    },
    {
      named: 'goes by the header where it has a known method',
      breaks: 'same',
      kind: 'accepted',
      replace: {
        stateless: {
          methodHeader: (value, body) =>
            value === undefined ? 'missing' : value === body || value === 'prompts/list' ? 'same' : 'other',
        },
      },
    },
    {
      named: 'compares without case',
      breaks: 'exact',
      kind: 'accepted',
      verdict: 'warn',
      replace: {
        stateless: {
          methodHeader: (value, body) =>
            value === undefined ? 'missing' : value.toLowerCase() === body.toLowerCase() ? 'same' : 'other',
        },
      },
    },
  ],
})
