import {
  at,
  type ClientReplacement,
  type Frame,
  headerValue,
  headerValues,
  isObject,
  type Json,
  judge,
  type Kind,
  type MonitorContext,
  mediaType,
  monitor,
  ourMessages,
  tampers,
} from '../../src/suite/monitor.ts'

type Head = Extract<Frame, { kind: 'http' }>

interface State {
  revision: MonitorContext['revision']
  /** the path of the endpoint: what the client asks elsewhere is not of this transport */
  path: string | undefined
  /** heads of POSTs whose message has not been seen */
  heads: Map<number, Head>
  /** the exchange of `initialize`, what its answer gave, and whether it came */
  opening: number | undefined
  sessionId: string | undefined
  isReady: boolean
  /** the client has gone on with the version that was answered: it may also refuse that, and nothing is agreed then */
  isAgreed: boolean
}

const BOTH = ['application/json', 'text/event-stream']
const ON = { on: 'client/transport-http/ends-session' }

/** The header fields of all requests to the MCP endpoint (basic/transports#streamable-http). */
export default monitor({
  title: 'Every request of the client has the header fields that the transport wants',
  frames: 'all',
  sides: ['client'],
  needs: { via: 'http' },
  claims: {
    accept: 'transport-http.post.accept-both-types',
    type: 'transport-http.post.content-type-json',
    listens: 'transport-http.get.accept-event-stream',
    session: 'transport-http.session.client-sends-id',
    version: 'transport-http.protocol-version.client-sends-header',
    value: 'transport-http.protocol-version.negotiated-value',
  },
  start: ({ revision }): State => ({
    revision,
    path: undefined,
    heads: new Map(),
    opening: undefined,
    sessionId: undefined,
    isReady: false,
    isAgreed: false,
  }),
  *see(state, frame) {
    const { exchange } = frame
    if (exchange === undefined) return
    if (exchange === state.opening && frame.kind === 'http' && frame.from === 'us')
      state.sessionId = headerValue(frame.headers, 'mcp-session-id')
    if (exchange === state.opening && ourMessages(frame).some(message => at(message, 'result') !== undefined))
      state.isReady = true
    if (frame.kind === 'http' && frame.from === 'them') {
      const [method = '', target = ''] = frame.start.split(' ')
      if (method === 'POST') {
        state.heads.set(exchange, frame)
      } else if (pathOf(target) === state.path) {
        if (method === 'GET')
          yield judge(
            'listens',
            lists(frame, ['text/event-stream']),
            'Accept with text/event-stream',
            frame,
            headerFault(frame, 'accept'),
          )
        if (method === 'GET' || method === 'DELETE') yield* judgeSession(state, frame)
      }
    }
    const head = frame.kind === 'message' && frame.from === 'them' ? state.heads.get(exchange) : undefined
    if (head === undefined || frame.kind !== 'message') return
    state.heads.delete(exchange)
    const parts = Array.isArray(frame.json) ? frame.json : [frame.json]
    const opens = parts.some(part => at(part, 'method') === 'initialize')
    if (opens) {
      state.opening ??= exchange
      state.path ??= pathOf(head.start.split(' ')[1] ?? '')
    }
    if (state.isReady && parts.some(goesOn)) state.isAgreed = true
    if (pathOf(head.start.split(' ')[1] ?? '') !== state.path) return
    const accepts = 'Accept with application/json and text/event-stream'
    yield judge('accept', lists(head, BOTH), accepts, head, headerFault(head, 'accept'))
    const type = headerValue(head.headers, 'content-type')
    const isJson = mediaType(type) === 'application/json'
    yield judge('type', isJson, 'Content-Type application/json', head, headerFault(head, 'content-type'))
    if (!opens) yield* judgeSession(state, head)
  },
  defects: [
    { named: 'anything is welcome', breaks: 'accept', kind: 'wrong-value', ...heading({ accept: '*/*' }) },
    {
      named: 'JSON alone is welcome',
      breaks: 'accept',
      kind: 'wrong-value',
      ...heading({ accept: 'application/json' }),
    },
    {
      named: 'event streams are named as not wanted',
      breaks: 'accept',
      kind: 'wrong-value',
      ...heading({ accept: 'application/json, text/event-stream;q=0' }),
    },
    {
      named: 'no Accept with notifications',
      breaks: 'accept',
      kind: 'missing',
      ...heading({ accept: undefined }, 'notifications'),
    },
    { named: 'plain text', breaks: 'type', kind: 'wrong-value', ...heading({ 'content-type': 'text/plain' }) },
    {
      named: 'GET takes anything',
      breaks: 'listens',
      kind: 'wrong-value',
      ...replacing({ accept: ({ method }) => (method === 'GET' ? '*/*' : BOTH.join(', ')) }),
    },
    { named: 'no session id', breaks: 'session', kind: 'missing', ...replacing({ sessionHeader: () => undefined }) },
    {
      named: 'no session id with GET',
      breaks: 'session',
      kind: 'missing',
      ...replacing({ sessionHeader: ({ method, sessionId }) => (method === 'GET' ? undefined : sessionId) }),
    },
    {
      named: 'the session id in capital letters',
      breaks: 'session',
      kind: 'wrong-value',
      ...replacing({ sessionHeader: ({ sessionId }) => sessionId?.toUpperCase() }),
    },
    { named: 'no version', breaks: 'version', kind: 'missing', ...replacing({ versionHeader: () => undefined }) },
    {
      named: 'no version with notifications',
      breaks: 'version',
      kind: 'missing',
      ...replacing({
        versionHeader: ({ version, message }) => (isObject(message) && message.id === undefined ? undefined : version),
      }),
    },
    {
      named: 'a version of its own',
      breaks: 'value',
      kind: 'wrong-value',
      ...replacing({ versionHeader: ({ version }) => (version === undefined ? undefined : '2025-06-18') }),
    },
  ],
  variants: [
    {
      named: 'more types, other letters, parameters',

      shows: ['accept', 'type', 'listens'],
      ...replacing({
        accept: () => 'Text/Event-Stream;q=0.5, text/html, Application/JSON;q=1',
        contentType: ({ message }) => (message === undefined ? undefined : 'application/json; charset=utf-8'),
      }),
    },
    {
      named: 'ends a session whose version it has refused',
      on: 'client/schema/unusable-version',
      replace: { deletes: () => true },
    },
    {
      named: 'the version also with initialize',

      shows: ['version', 'value'],
      ...replacing({ versionHeader: ({ version }) => version ?? '2025-11-25' }),
    },
  ],
})

/** What a client says when it has taken the answer to initialize; a ping may cross that. */
const goesOn = (message: Json | undefined): boolean => {
  const method = at(message, 'method')
  return method !== undefined && method !== 'initialize' && method !== 'ping'
}

const pathOf = (target: string): string => target.split('?')[0] ?? ''

/** All of these media types are named, and none of them as unwanted. */
function lists(head: Head, types: string[]): boolean {
  const accepted = headerValues(head.headers, 'accept')
    .flatMap(value => value.split(','))
    .filter(range => !/;\s*q\s*=\s*0(?:\.0*)?\s*(?:;|$)/i.test(range))
    .map(mediaType)
  return types.every(type => accepted.includes(type))
}

const methodOf = (head: Head): string => head.start.split(' ')[0] ?? ''

/** The header is not there, or says something else. */
const headerFault = (head: Head, name: string): Kind =>
  headerValue(head.headers, name) === undefined ? 'missing' : 'wrong-value'

function* judgeSession(state: State, head: Head) {
  const { sessionId } = state
  const sent = headerValues(head.headers, 'mcp-session-id')
  // Without an id a request in front of that may be about something else: a look for the older transport, say.
  if (sessionId !== undefined && (state.isAgreed || sent.length > 0)) {
    const same = sent.length > 0 && sent.every(value => value === sessionId)
    const expected = `MCP-Session-Id ${sessionId}, as it was given`
    yield judge('session', same, expected, head, {
      kind: headerFault(head, 'mcp-session-id'),
      subject: methodOf(head),
    })
  }
  if (!state.isAgreed) return
  const version = headerValue(head.headers, 'mcp-protocol-version')
  yield judge('version', version !== undefined, 'MCP-Protocol-Version', head, {
    kind: 'missing',
    subject: methodOf(head),
  })
  if (version === undefined) return
  const expected = `MCP-Protocol-Version ${state.revision()}, as agreed`
  yield judge('value', version === state.revision(), expected, head, { kind: 'wrong-value', subject: methodOf(head) })
}

/** The reference client with other header fields, for messages whose method begins so. */
function heading(fields: Record<string, string | undefined>, methods = '') {
  return {
    ...ON,
    tamper: tampers.request(request => {
      const method = at(request.message, 'method')
      if (request.method !== 'POST' || typeof method !== 'string' || !method.startsWith(methods)) return request
      const others = Object.entries(request.headers).filter(([name]) => !Object.hasOwn(fields, name.toLowerCase()))
      const set = Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined)
      return { ...request, headers: Object.fromEntries([...others, ...set]) }
    }),
  }
}

function replacing(replace: ClientReplacement) {
  return { ...ON, replace }
}
