import {
  callableTools,
  codes,
  encoded,
  judge,
  listAll,
  serverScenario,
  textOfHeader,
  unmet,
} from '../../../src/suite/server.ts'
import { refused } from '../_refusals.ts'

const REFUSED = { code: codes.headerMismatch, status: 400 }
const OTHER = 'x-conformance-no-such-tool'

export default serverScenario({
  title:
    'Mcp-Name names the tool that the message calls, in plain text or in base64, else the call is refused with -32020',
  needs: { since: '2026-07-28', via: 'http', capability: 'tools' },
  claims: {
    present: 'transport-http.mcp-name-missing-rejected',
    same: 'transport-http.mcp-name-mismatch-rejected',
    decodes: 'transport-http.server-decodes',
    compares: 'transport-http.server-decodes-before-compare',
  },
  async *run(peer) {
    const { entries } = await listAll(peer, 'tools/list', 'tools')
    const [tool] = callableTools(peer, entries)
    if (tool === undefined) {
      yield unmet('no tool may be called')
      return
    }
    const call = (header: string | null) =>
      peer.request(
        'tools/call',
        { name: tool.name, arguments: tool.args },
        { headers: { 'Mcp-Name': header }, intended: 'fault' },
      )
    const control = await peer.request('tools/call', { name: tool.name, arguments: tool.args })
    if (control.kind !== 'result') {
      yield unmet('the control, a call with the name of the tool in the header, brought no result')
      return
    }
    yield refused('present', await call(null), REFUSED)
    // The name of another tool that exists would be the one to go by.
    const others = [
      OTHER,
      ...entries.flatMap(({ name }) => (typeof name === 'string' && name !== tool.name ? [name] : [])).slice(0, 1),
    ]
    for (const other of others)
      yield refused('same', await call(other), {
        ...REFUSED,
        subject: other === OTHER ? 'an unknown tool' : 'another tool',
      })
    const inBase64 = await call(encoded(tool.name))
    yield judge('decodes', inBase64.kind === 'result', 'a result', inBase64)
    if (inBase64.kind === 'result') yield refused('compares', await call(encoded(OTHER)), REFUSED)
  },
  defects: [
    {
      named: 'does not look at the header',
      breaks: 'same',
      kind: 'accepted',
      also: ['present', 'compares'],
      replace: { stateless: { nameHeader: () => 'same' } },
    },
    {
      named: 'does not miss the header',
      breaks: 'present',
      kind: 'accepted',
      replace: {
        stateless: {
          nameHeader: (value, body) => (value === undefined || textOfHeader(value) === body ? 'same' : 'other'),
        },
      },
    },
    {
      named: 'takes any name that a tool has',
      breaks: 'same',
      kind: 'accepted',
      replace: {
        stateless: {
          nameHeader: (value, body) =>
            value === undefined
              ? 'missing'
              : textOfHeader(value) === body || value.startsWith('test_')
                ? 'same'
                : 'other',
        },
      },
    },
    {
      named: 'another name with status 200',
      breaks: 'same',
      kind: 'wrong-status',
      also: ['present', 'compares'],
      replace: { stateless: { statusOf: () => 200 } },
    },
    {
      named: 'compares the field as it is',
      breaks: 'decodes',
      kind: 'refused',
      replace: {
        stateless: {
          nameHeader: (value, body) => (value === undefined ? 'missing' : value === body ? 'same' : 'other'),
        },
      },
    },
    {
      named: 'takes whatever is in base64',
      breaks: 'compares',
      kind: 'accepted',
      replace: {
        stateless: {
          nameHeader: (value, body) =>
            value === undefined ? 'missing' : value === body || value.startsWith('=?base64?') ? 'same' : 'other',
        },
      },
    },
  ],
})
