import {
  at,
  type Frame,
  headerText,
  headerValue,
  headerValues,
  type Json,
  judge,
  META,
  mediaType,
  monitor,
  NAMED_BY,
  shapeOf,
  type Tamper,
  tampers,
  textAt,
  textOfHeader,
} from '../../src/suite/monitor.ts'

type Head = Extract<Frame, { kind: 'http' }>

/** Heads of POSTs whose message has not been seen, by their exchange. */
type State = Map<number, Head>

const ON = { on: 'client/tools/modern-call' }
const BOTH = ['application/json', 'text/event-stream']

/** The header fields that repeat the message (basic/transports/streamable-http#request-metadata), and what may come back. */
export default monitor({
  title: 'The head of each POST repeats the version, the method and the name in its message',
  sides: ['client'],
  needs: { since: '2026-07-28', via: 'http' },
  frames: 'all',
  claims: {
    accept: 'transport-http.post.accept-both-types',
    sent: 'transport-http.protocol-version.client-sends-header',
    same: 'transport-http.version-header-matches-body',
    method: 'transport-http.mcp-method-sent',
    name: 'transport-http.mcp-name-sent',
  },
  start: (): State => new Map(),
  *see(heads, frame) {
    const { exchange } = frame
    if (exchange === undefined) return
    if (frame.kind === 'http' && frame.from === 'them' && frame.start.startsWith('POST ')) heads.set(exchange, frame)
    const head = frame.kind === 'message' && frame.from === 'them' ? heads.get(exchange) : undefined
    if (head === undefined || frame.kind !== 'message') return
    heads.delete(exchange)
    yield* judgeHead(head, frame.json)
  },
  defects: [
    {
      named: 'JSON alone is welcome',
      breaks: 'accept',
      kind: 'wrong-value',
      ...heading({ accept: 'application/json' }),
    },
    { named: 'anything is welcome', breaks: 'accept', kind: 'wrong-value', ...heading({ accept: '*/*' }) },
    { named: 'no version', breaks: 'sent', kind: 'missing', ...heading({ 'mcp-protocol-version': undefined }) },
    {
      named: 'no version with the first request',
      breaks: 'sent',
      kind: 'missing',
      ...heading({ 'mcp-protocol-version': undefined }, 'server/discover'),
    },
    {
      named: 'another version',
      breaks: 'same',
      kind: 'wrong-value',
      ...heading({ 'mcp-protocol-version': '2025-11-25' }),
    },
    { named: 'no method', breaks: 'method', kind: 'missing', ...heading({ 'mcp-method': undefined }) },
    {
      named: 'the method in other letters',
      breaks: 'method',
      kind: 'wrong-value',
      ...heading({ 'mcp-method': 'Tools/Call' }, 'tools/call'),
    },
    { named: 'no name', breaks: 'name', kind: 'missing', ...heading({ 'mcp-name': undefined }) },
    {
      named: 'the name of another tool',
      breaks: 'name',
      kind: 'wrong-value',
      ...heading({ 'mcp-name': 'other' }, 'tools/call'),
    },
  ],
  variants: [
    {
      named: 'more types, other letters, parameters',
      ...ON,
      shows: ['accept'],
      replace: { accept: () => 'Text/Event-Stream;q=0.5, text/html, Application/JSON;q=1' },
    },
  ],
})

function* judgeHead(head: Head, message: Json | undefined) {
  const accepted = headerValues(head.headers, 'accept')
    .flatMap(value => value.split(','))
    .filter(range => !/;\s*q\s*=\s*0(?:\.0*)?\s*(?:;|$)/i.test(range))
    .map(mediaType)
  const method = textAt(message, 'method')
  // What a client of both eras says to find out what there is has the fields of the other era.
  if (shapeOf(message) !== 'request' || method === undefined || method === 'initialize') return
  const takesBoth = BOTH.every(type => accepted.includes(type))
  yield judge('accept', takesBoth, 'Accept with application/json and text/event-stream', head, {
    kind: accepted.length === 0 ? 'missing' : 'wrong-value',
    subject: method,
  })
  const version = headerValue(head.headers, 'mcp-protocol-version')
  const said = textAt(message, 'params', '_meta', META.version)
  yield judge('sent', version !== undefined, 'MCP-Protocol-Version', head, { kind: 'missing', subject: method })
  if (version !== undefined && said !== undefined)
    yield judge('same', version === said, `MCP-Protocol-Version ${said}, as in the message`, head, {
      kind: 'wrong-value',
      subject: method,
    })
  yield judgeField(head, 'method', 'Mcp-Method', method, method)
  const named = Object.hasOwn(NAMED_BY, method) ? textAt(message, 'params', NAMED_BY[method] ?? '') : undefined
  if (named !== undefined) yield judgeField(head, 'name', 'Mcp-Name', named, method)
}

function judgeField<C extends string>(head: Head, claim: C, field: string, text: string, subject: string) {
  const value = headerValue(head.headers, field.toLowerCase())
  const read = value === undefined ? undefined : claim === 'name' ? textOfHeader(value) : value
  // How a name goes out that is no plain text is a matter of its own.
  const isSame = read === text || (claim === 'name' && read !== undefined && headerText(text) !== text)
  return judge(claim, isSame, `${field} ${headerText(text)}`, head, {
    kind: value === undefined ? 'missing' : 'wrong-value',
    subject,
  })
}

/** The reference client with other header fields, for requests whose method begins so. */
function heading(fields: Record<string, string | undefined>, methods = ''): typeof ON & { tamper: Tamper } {
  return {
    ...ON,
    tamper: tampers.request(request => {
      const method = at(request.message, 'method')
      if (typeof method !== 'string' || !method.startsWith(methods)) return request
      const others = Object.entries(request.headers).filter(([name]) => !Object.hasOwn(fields, name.toLowerCase()))
      const set = Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined)
      return { ...request, headers: Object.fromEntries([...others, ...set]) }
    }),
  }
}
