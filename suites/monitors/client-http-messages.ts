import {
  at,
  type Frame,
  headerValue,
  isResponse,
  type Json,
  judge,
  type Kind,
  type MessageFrame,
  type MonitorContext,
  mediaType,
  monitor,
  shapeOf,
  tampers,
} from '../../src/suite/monitor.ts'

type Head = Extract<Frame, { kind: 'http' }>

interface State {
  revision: MonitorContext['revision']
  heads: Map<number, Head>
}

const ON = { on: 'client/transport-http/ends-session' }
/** A name that is no ASCII, and bytes that are no UTF-8. */
const LATIN = {
  clientInfo: () => ({ name: 'Größe', version: '1' }),
  encode: (text: string) => Buffer.from(text, 'latin1'),
}
/** Arrays of messages are part of that revision only. */
const BATCHES = '2025-03-26'

/** How the messages of the client travel over HTTP (basic/transports#sending-messages-to-the-server). */
export default monitor({
  title: 'Each message of the client is the body of a POST of its own, in UTF-8',
  frames: 'all',
  sides: ['client'],
  needs: { via: 'http' },
  claims: {
    method: 'transport-http.post.method',
    own: 'transport-http.post.new-request-per-message',
    single: 'transport-http.post.single-message',
    batch: 'transport-http.post.batch-body',
    utf8: 'transport-http.encoding.utf8',
  },
  start: ({ revision }): State => ({ revision, heads: new Map() }),
  *see(state, frame) {
    const { exchange } = frame
    if (exchange === undefined) return
    if (frame.kind === 'http' && frame.from === 'them') {
      state.heads.set(exchange, frame)
      const upgrade = headerValue(frame.headers, 'upgrade') ?? ''
      if (/websocket/i.test(upgrade)) yield judge('method', false, 'no change to WebSocket', frame, 'unasked')
    }
    const head = frame.kind === 'message' && frame.from === 'them' ? state.heads.get(exchange) : undefined
    if (head === undefined || frame.kind !== 'message') return
    state.heads.delete(exchange)
    // Other bodies, such as the requests to an authorization server, are none of this transport's.
    if (!isMeantForUs(frame, head)) return
    const isPost = head.start.startsWith('POST ')
    yield judge('method', isPost, 'messages by POST', isPost ? frame : [head, frame])
    yield judge('utf8', frame.flaw !== 'not-utf8', 'bytes that are valid UTF-8', frame, {
      kind: 'malformed',
      subject: 'the body',
    })
    yield judge('utf8', isUtf8(headerValue(head.headers, 'content-type')), 'no other charset than UTF-8', head, {
      kind: 'wrong-value',
      subject: 'Content-Type',
    })
    if (frame.flaw === 'not-utf8') return
    const count = countIn(frame)
    const batches = state.revision() === BATCHES && Array.isArray(frame.json)
    if (!batches) yield judge('own', count < 2, 'one message in one POST', frame, 'unasked')
    yield judge('single', isMessage(frame.json), 'one request, notification or response', frame, shapeFault(frame))
    yield judge('batch', isFit(frame.json), 'an array of requests and notifications, or of responses', frame)
  },
  defects: [
    {
      named: 'PUT',
      breaks: 'method',
      kind: 'wrong-value',
      ...ON,
      tamper: tampers.request(request =>
        at(request.message, 'method') === 'notifications/initialized' ? { ...request, method: 'PUT' } : request,
      ),
    },
    {
      named: 'two messages, one a line',
      breaks: 'own',
      kind: 'unasked',
      also: ['single'],
      ...ON,
      tamper: bodies(text => `${text}\n{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}`),
    },
    {
      named: 'two messages in an array',
      breaks: 'own',
      kind: 'unasked',
      also: ['single'],
      ...ON,
      tamper: bodies(text => `[${text},{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}]`),
    },
    {
      named: 'an array of one message',
      breaks: 'single',
      kind: 'wrong-type',
      ...ON,
      tamper: bodies(text => `[${text}]`),
    },
    {
      named: 'a message that is neither',
      breaks: 'single',
      kind: 'malformed',
      ...ON,
      tamper: bodies(() => '{"jsonrpc":"2.0","note":"ready"}'),
    },
    {
      named: 'an empty array',
      breaks: 'batch',
      kind: 'wrong-value',
      spec: '2025-03-26',
      ...ON,
      tamper: bodies(() => '[]'),
    },
    {
      named: 'a response among notifications',
      breaks: 'batch',
      kind: 'wrong-value',
      spec: '2025-03-26',
      ...ON,
      tamper: bodies(text => `[${text},{"jsonrpc":"2.0","id":"no-such-id","result":{}}]`),
    },
    { named: 'Latin-1 bytes', breaks: 'utf8', kind: 'malformed', ...ON, replace: LATIN },
    {
      named: 'another charset is declared',
      breaks: 'utf8',
      kind: 'wrong-value',
      ...ON,
      replace: { contentType: () => 'application/json; charset=iso-8859-1' },
    },
  ],
  variants: [
    {
      named: 'two notifications in an array',
      spec: '2025-03-26',
      shows: ['method', 'own', 'batch', 'utf8'],
      ...ON,
      tamper: bodies(text => `[${text},{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}]`),
    },
    {
      named: 'the charset UTF-8 is declared',
      shows: ['method', 'own', 'single', 'utf8'],
      ...ON,
      replace: { contentType: () => 'application/json; charset="UTF-8"' },
    },
  ],
})

const linesIn = (text: string): string[] => text.split('\n').filter(line => line.trim() !== '')

/** The messages in a body: an array, or one a line, has several. */
function countIn({ json, text }: MessageFrame): number {
  if (Array.isArray(json)) return json.length
  const lines = json === undefined ? linesIn(text) : []
  return lines.length > 1 && lines.every(line => /^\s*\{.*"jsonrpc"/.test(line)) ? lines.length : 1
}

const isMessage = (json: Json | undefined): boolean => !['batch', 'malformed'].includes(shapeOf(json))

/** An array is of another type than a message; what else is no message cannot be read as one. */
const shapeFault = ({ json }: MessageFrame): Kind => (Array.isArray(json) ? 'wrong-type' : 'malformed')

function isFit(json: Json | undefined): boolean {
  if (!Array.isArray(json)) return true
  const answers = json.filter(part => isResponse(shapeOf(part))).length
  return json.length > 0 && json.every(isMessage) && (answers === 0 || answers === json.length)
}

/** What is posted as JSON to the endpoint, or looks like a message wherever it is. */
function isMeantForUs({ text, flaw }: MessageFrame, head: Head): boolean {
  if (text.includes('"jsonrpc"')) return true
  const isJson = mediaType(headerValue(head.headers, 'content-type')) === 'application/json'
  return isJson && headerValue(head.headers, 'mcp-protocol-version') !== undefined && flaw !== 'too-long'
}

const isUtf8 = (contentType = ''): boolean => {
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(contentType)?.[1]
  return charset === undefined || /^utf-?8$/i.test(charset)
}

/** Rewrites the body with which the client says that it is ready. */
function bodies(rewrite: (text: string) => string) {
  return tampers.request(request =>
    at(request.message, 'method') === 'notifications/initialized'
      ? { ...request, body: rewrite(request.body) }
      : request,
  )
}
