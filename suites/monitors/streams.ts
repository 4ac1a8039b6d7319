import {
  at,
  type Frame,
  headerValue,
  idKey,
  isObject,
  isResponse,
  type Json,
  type JsonObject,
  judge,
  mediaType,
  monitor,
  notification,
  response,
  type SeenExchange,
  shapeOf,
  tampers,
  theirMessages,
  trackExchanges,
} from '../../src/suite/monitor.ts'

interface State {
  exchanges: ReturnType<typeof trackExchanges>
  /** requests of ours that have no answer yet, by id key, with their progress tokens */
  running: Map<string, string | undefined>
  asked: Set<string>
  /** tokens of tasks outlive their requests and may show up on any stream */
  ofTasks: Set<string>
}

/** Which message comes on which stream, and in which encoding. */
export default monitor({
  title: 'Each message comes on the stream where it belongs, in UTF-8',
  frames: 'all',
  needs: { via: 'http' },
  claims: {
    related: 'transport-http.sse.messages-relate-to-request',
    unrelated: 'transport-http.get.unrelated-messages',
    noResponse: 'transport-http.get.no-response',
    utf8: 'transport-http.encoding.utf8',
  },
  start: (): State => ({ exchanges: trackExchanges(), running: new Map(), asked: new Set(), ofTasks: new Set() }),
  *see(state, frame) {
    const exchange = state.exchanges.follow(frame)
    if (exchange === undefined) return
    if (frame.kind === 'message' && frame.from === 'us') remember(state, frame.json)
    if (frame.kind === 'http' && frame.from === 'them')
      yield judge('utf8', isUtf8(headerValue(frame.headers, 'content-type')), 'no other charset than UTF-8', frame, {
        kind: 'wrong-value',
        subject: 'Content-Type',
      })
    if (frame.kind === 'message' && frame.from === 'them')
      yield judge('utf8', frame.flaw !== 'not-utf8', 'bytes that are valid UTF-8', frame, {
        kind: 'malformed',
        subject: 'the body',
      })
    const streamed = mediaType(exchange.contentType) === 'text/event-stream'
    for (const message of streamed ? theirMessages(frame) : []) {
      if (exchange.method === 'POST') yield* judgeOnPost(state, exchange, message, frame)
      // What comes on a resumed stream belongs to the stream that was broken.
      if (exchange.method === 'GET' && !exchange.resumes) yield* judgeOnGet(state, message, frame)
    }
    for (const message of theirMessages(frame))
      if (isResponse(shapeOf(message))) state.running.delete(idKey(at(message, 'id')))
    // Where we gave up the connection, the server may look for another way to reach us.
    if (frame.kind === 'end' && exchange.requestKey !== undefined) state.running.delete(exchange.requestKey)
  },
  defects: [
    {
      named: 'progress with the token of another request',
      on: 'server/transport-http/several-streams',
      breaks: 'related',
      kind: 'leaked',
      tamper: tampers.message(message =>
        message.method === 'notifications/progress'
          ? { ...message, params: { ...(message.params as JsonObject), progressToken: 'streams-b' } }
          : message,
      ),
    },
    {
      named: 'a list change on the stream of a request that changes nothing',
      on: 'server/transport-http/several-streams',
      breaks: 'related',
      kind: 'unasked',
      verdict: 'info',
      tamper: tampers.message((message, cause, on) =>
        on === 'post' && cause?.method === 'ping'
          ? [notification('notifications/tools/list_changed'), message]
          : message,
      ),
    },
    {
      named: 'progress of a running request on the GET stream',
      on: 'server/transport-http/several-streams',
      breaks: 'unrelated',
      kind: 'unasked',
      replace: { strays: method => method === 'notifications/progress' },
    },
    {
      named: 'a response on the GET stream',
      on: 'server/transport-http/several-streams',
      breaks: 'noResponse',
      kind: 'unasked',
      tamper: tampers.message((message, _cause, on) =>
        on === 'get' && message.method === 'roots/list' ? [message, response(1, {})] : message,
      ),
    },
    {
      named: 'another charset is declared',
      on: 'server/ping/answers',
      breaks: 'utf8',
      kind: 'wrong-value',
      tamper: tampers.http(answer => ({
        headers: { ...answer.headers, 'Content-Type': 'application/json; charset=iso-8859-1' },
      })),
    },
    {
      named: 'Latin-1 bytes',
      on: 'server/transport-http/utf8',
      breaks: 'utf8',
      kind: 'malformed',
      replace: { encoding: 'latin1' },
    },
  ],
  variants: [
    {
      named: 'the charset UTF-8 is declared',
      on: 'server/ping/answers',
      shows: ['utf8'],
      tamper: tampers.http(answer => ({
        headers: Object.fromEntries(
          Object.entries(answer.headers).map(([name, value]) => [
            name,
            name === 'Content-Type' ? `${value}; charset="UTF-8"` : value,
          ]),
        ),
      })),
    },
    {
      named: 'the right messages on the right streams',
      on: 'server/transport-http/several-streams',
      shows: ['related', 'unrelated', 'noResponse'],
      replace: {},
    },
  ],
})

const tokenOf = (message: Json | undefined): string | undefined => {
  const token = at(message, 'params', '_meta', 'progressToken')
  return token === undefined ? undefined : idKey(token)
}

function remember(state: State, message: Json | undefined): void {
  if (shapeOf(message) !== 'request') return
  const key = idKey(at(message, 'id'))
  const token = tokenOf(message)
  state.asked.add(key)
  state.running.set(key, token)
  if (token !== undefined && isObject(at(message, 'params', 'task'))) state.ofTasks.add(token)
}

function* judgeOnPost(state: State, exchange: SeenExchange, message: Json, frame: Frame) {
  if (exchange.requestKey === undefined) return
  const method = at(message, 'method')
  if (isResponse(shapeOf(message))) {
    const key = idKey(at(message, 'id'))
    // An answer with an id that we never used (converted, null) is judged elsewhere.
    if (key !== exchange.requestKey && state.asked.has(key))
      yield judge('related', false, 'no response to another request', frame, { kind: 'leaked', subject: 'responses' })
  } else if (method === 'notifications/progress') {
    const token = idKey(at(message, 'params', 'progressToken'))
    if (!state.ofTasks.has(token))
      yield judge('related', token === tokenOf(exchange.message), 'progress of the request of this stream', frame, {
        kind: 'leaked',
        subject: method,
      })
  } else if (typeof method === 'string' && method.endsWith('/list_changed') && changesNothing(exchange.message)) {
    const expected = 'no list change on the stream of a request that changes nothing'
    yield judge('related', 'bends', expected, frame, { kind: 'unasked', subject: method })
  }
}

/** A tool may well change a list; a ping or a list request does not. */
const changesNothing = (request: Json | undefined): boolean => {
  const method = at(request, 'method')
  return method === 'ping' || (typeof method === 'string' && method.endsWith('/list'))
}

function* judgeOnGet(state: State, message: Json, frame: Frame) {
  const expected = 'no response on a GET stream that resumes nothing'
  yield judge('noResponse', !isResponse(shapeOf(message)), expected, frame, 'unasked')
  if (at(message, 'method') === undefined) return
  const token = at(message, 'params', 'progressToken')
  const stray =
    at(message, 'method') === 'notifications/progress' &&
    token !== undefined &&
    [...state.running.values()].includes(idKey(token)) &&
    !state.ofTasks.has(idKey(token))
  yield judge('unrelated', !stray, 'no progress of a running request on the GET stream', frame, 'unasked')
}

/** The charset of what carries messages; of other bodies, such as error pages, any is right. */
const isUtf8 = (contentType = ''): boolean => {
  if (!['application/json', 'text/event-stream'].includes(mediaType(contentType))) return true
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(contentType)?.[1]
  return charset === undefined || /^utf-?8$/i.test(charset)
}
