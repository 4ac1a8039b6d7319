import {
  clientScenario,
  headerText,
  headerValue,
  judge,
  script,
  sent,
  tampers,
  textAt,
  textOfHeader,
  undone,
  unmet,
} from '../../../src/suite/client.ts'

const NAMES = { letters: 'größe_日本', padded: ' padded ', lookalike: '=?base64?YQ==?=' }

/** Tools whose names are no plain text for a header field. */
const ODD_NAMES = script({
  drive: {
    name: 'odd-tool-names',
    steps: [
      { request: 'tools/list' },
      ...Object.values(NAMES).map(name => ({ request: 'tools/call', params: { name, arguments: {} } })),
    ],
  },
  setup: () => ({
    tools: Object.values(NAMES).map(name => ({ name, description: 'A tool', inputSchema: { type: 'object' } })),
  }),
})

export default clientScenario({
  title: 'A name that is no plain text for a header field goes out in base64',
  needs: { since: '2026-07-28', via: 'http' },
  script: ODD_NAMES,
  claims: {
    encoded: 'transport-http.mcp-name-encoded',
    lookalike: 'transport-http.sentinel-lookalike-encoded',
    marks: 'transport-http.sentinel-case-exact',
  },
  *run(seen) {
    const calls = sent(seen, 'tools/call')
    if (calls.length === 0) {
      yield unmet(undone(seen, 'call a tool'))
      return
    }
    for (const [subject, name] of Object.entries(NAMES)) {
      const call = calls.find(({ params }) => params.name === name)
      const request = seen.requests.find(({ frames }) => call !== undefined && frames.includes(call.frame))
      const claim = subject === 'lookalike' ? 'lookalike' : 'encoded'
      if (call === undefined || request === undefined) {
        yield unmet(undone(seen, `call the tool ${JSON.stringify(name)}`), claim)
        continue
      }
      const value = headerValue(request.headers, 'mcp-name')
      const got = request.frames[0] ?? call.frame
      const isEncoded = value !== undefined && value !== name && textOfHeader(value) === name
      const kind = value === undefined ? 'missing' : 'wrong-value'
      yield judge(claim, isEncoded, `Mcp-Name ${headerText(name)}`, got, { kind, subject })
      if (value !== undefined && /^=\?base64\?.*\?=$/i.test(value) && subject !== 'lookalike')
        yield judge('marks', value.startsWith('=?base64?'), 'the marks in lower case', got, {
          kind: 'wrong-value',
          subject,
        })
    }
  },
  defects: [
    {
      named: 'sends bytes of UTF-8',
      breaks: 'encoded',
      kind: 'wrong-value',
      ...naming((value, name) => (name === NAMES.letters ? Buffer.from(name, 'utf8').toString('latin1') : value)),
    },
    {
      named: 'leaves the name out where it is no plain text',
      breaks: 'encoded',
      kind: 'missing',
      ...naming((value, name) => (name === NAMES.letters ? undefined : value)),
    },
    {
      named: 'drops the spaces around it',
      breaks: 'encoded',
      kind: 'wrong-value',
      ...naming((value, name) => (name === NAMES.padded ? name.trim() : value)),
    },
    {
      named: 'takes a name that looks so for one that is encoded',
      breaks: 'lookalike',
      kind: 'wrong-value',
      ...naming((value, name) => (name === NAMES.lookalike ? name : value)),
    },
    {
      named: 'writes the marks in capital letters',
      breaks: 'marks',
      kind: 'wrong-value',
      also: ['encoded', 'lookalike'],
      ...naming(value => value.replace('=?base64?', '=?BASE64?')),
    },
  ],
})

/** The reference client with other values in Mcp-Name. */
function naming(rewrite: (value: string, name: string) => string | undefined) {
  return {
    tamper: tampers.request(request => {
      const { 'Mcp-Name': value, ...others } = request.headers
      const name = textAt(request.message, 'params', 'name')
      if (value === undefined || name === undefined) return request
      const rewritten = rewrite(value, name)
      return { ...request, headers: rewritten === undefined ? others : { ...others, 'Mcp-Name': rewritten } }
    }),
  }
}
