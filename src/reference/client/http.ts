/** A server behind an MCP endpoint (basic/transports#streamable-http): each message has a POST of its own. */
import { createHttpConnection, headerValue, mediaType } from '../../wire/http.ts'
import { at, isObject, isRequestId, type Json, type JsonObject, shapeOf } from '../../wire/json-rpc.ts'
import type { HeaderList } from '../../wire/log.ts'
import { signal } from '../../wire/wait.ts'
import type { Answered, Exchange } from './exchange.ts'
import type { HttpView } from './http-rules.ts'
import { createStreams, type Stream } from './http-streams.ts'
import type { Link, LinkContext, LinkEvents } from './link.ts'
import { errorReply, failed, type Reply } from './reply.ts'

/** At the end, what was said last must still arrive. */
const LAST_WORDS_MS = 2_000

export function createHttpLink(
  context: LinkContext,
  url: string,
  events: LinkEvents,
  previousId: string | undefined,
): Link {
  const { policies, tamper, clock } = context
  const connection = createHttpConnection()
  const aborts = new Set<() => void>()
  /** posts of notifications and answers that are on their way */
  const leaving = new Set<Promise<void>>()
  let sessionId: string | undefined
  let version: string | undefined
  let closed = false

  const guarded = (act: () => void): void => {
    if (closed) return
    try {
      act()
    } catch (problem) {
      context.crash(problem)
    }
  }
  const exchange: Exchange = ({ method, lastEventId, message }, answered, to = url) => {
    const view: HttpView = { method, lastEventId, message, sessionId, previousId, version }
    const body = message === undefined ? '' : JSON.stringify(message)
    const outs = tamper({ layer: 'request', method, url: to, headers: headersFor(view), body, message })
    for (const out of outs) if (out.layer === 'request') dispatch(out, answered())
    return outs.length
  }
  const headersFor = (view: HttpView): Record<string, string> => {
    const all: Record<string, string | undefined> = {
      Accept: policies.accept(view),
      'Content-Type': policies.contentType(view),
      'MCP-Session-Id': policies.sessionHeader(view),
      'MCP-Protocol-Version': policies.versionHeader(view),
      'Last-Event-ID': view.lastEventId === undefined ? undefined : bytesOf(view.lastEventId),
      ...policies.headers(view),
    }
    return Object.fromEntries(Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined))
  }
  const dispatch = (
    out: { method: string; url: string; headers: Record<string, string>; body: string },
    answered: Answered,
  ): void => {
    let abort = (): void => {}
    const finish = (broken?: string): void => {
      aborts.delete(abort)
      guarded(() => answered.end(broken))
    }
    try {
      abort = connection.send(
        {
          method: out.method,
          url: out.url,
          headers: Object.entries(out.headers) as HeaderList,
          ...(out.body === '' ? {} : { body: policies.encode(out.body) }),
        },
        {
          head: head => guarded(() => answered.head(head)),
          data: chunk => guarded(() => answered.data(chunk)),
          end: () => finish(),
          failed: error => finish(error.message || String(error.code)),
        },
      )
      aborts.add(abort)
    } catch (problem) {
      finish(String(problem))
    }
  }
  const streams = createStreams(context, events, exchange, () => closed)

  const post = (message: Json, to?: string, method: 'POST' | 'GET' = 'POST'): Promise<void> => {
    const taken = signal<void>()
    const isRequest = shapeOf(message) === 'request' && isObject(message)
    const owner = isRequest && isRequestId(message.id) ? message.id : undefined
    const opens = isRequest && message.method === 'initialize'
    const body = method === 'POST' ? message : undefined
    const answered = (): Answered => {
      let stream: Stream | undefined
      let status = 0
      let location: string | undefined
      let type = ''
      let chunks: Uint8Array[] = []
      return {
        head(head) {
          status = head.status
          location = headerValue(head.headers, 'location')
          type = mediaType(headerValue(head.headers, 'content-type'))
          const isGood = status >= 200 && status < 300
          if (opens && isGood) sessionId = policies.sessionId(headerValue(head.headers, 'mcp-session-id'))
          if (isGood && type === 'text/event-stream' && policies.reads(type)) stream = streams.begin(owner, message)
          taken.resolve()
        },
        data(chunk) {
          if (stream === undefined) chunks.push(chunk)
          else stream.feed(chunk)
        },
        end(broken) {
          taken.resolve()
          if (stream !== undefined) return stream.end()
          const text = policies.decode(chunks)
          chunks = []
          if (status >= 200 && status < 300 && broken === undefined) {
            // Accepted without an answer: it may come on another stream.
            if (status === 202) return
            if (text.trim() !== '' && policies.reads(type)) events.receive(text)
          } else if (status >= 400) return refused(status, text, owner, opens)
          else if (status >= 300 && location !== undefined) {
            const next = policies.follows(status)
            if (next !== undefined) return void post(message, new URL(location, url).href, next)
          }
          if (owner !== undefined && policies.tells('body'))
            events.lost(owner, failed('lost', broken ?? `HTTP ${status} without an answer`))
        },
      }
    }
    const sent = exchange({ method, lastEventId: undefined, message: body }, answered, to)
    if (sent === 0) taken.resolve()
    if (owner === undefined) {
      leaving.add(taken.promise)
      void taken.promise.then(() => leaving.delete(taken.promise))
    }
    return taken.promise
  }
  const refused = (status: number, text: string, owner: Json | undefined, opens: boolean): void => {
    if (status === 404 && sessionId !== undefined) {
      if (owner === undefined) events.expired()
      else events.lost(owner, failed('expired', 'the server does not know the session any more'))
      return
    }
    if (owner === undefined) return
    const reply = refusalIn(status, text)
    if (opens && policies.fallsBack(status)) tryOldTransport(owner, reply)
    else if (policies.tells('status')) events.lost(owner, reply)
  }
  /** Servers of 2024-11-05 first want a GET, and say where to post in an event of their own (basic/transports#backwards-compatibility). */
  const tryOldTransport = (owner: Json, reply: Reply): void => {
    const found = signal<string>()
    streams.listenForEndpoint(endpoint => found.resolve(endpoint))
    void clock.within(found.promise, policies.fallbackWaitMs).then(endpoint =>
      guarded(() => {
        const why = `the server speaks the old transport, at ${endpoint}; this client does not`
        events.lost(owner, endpoint === undefined ? reply : failed('unsupported', why))
      }),
    )
  }
  const endSession = async (): Promise<void> => {
    const done = signal<void>()
    const sent = exchange({ method: 'DELETE', lastEventId: undefined, message: undefined }, () => ({
      head: () => done.resolve(),
      data: () => {},
      end: () => done.resolve(),
    }))
    if (sent === 0) return
    await clock.within(done.promise, LAST_WORDS_MS)
  }
  const destroy = (): void => {
    closed = true
    for (const abort of [...aborts]) abort()
    connection.close().catch(() => {})
  }
  return {
    get sessionId() {
      return sessionId
    },
    async send(message, cause) {
      const posts = tamper({ layer: 'message', message, cause, on: 'post' }).map(out =>
        out.layer === 'message' ? post(out.message) : undefined,
      )
      await Promise.all(posts)
    },
    agreed(answered) {
      version = answered
    },
    listen: () => streams.listen(),
    async close() {
      await clock.within(Promise.all(leaving), LAST_WORDS_MS)
      if (policies.deletes(sessionId, version)) await endSession()
      if (policies.lingersMs > 0) await clock.sleep(policies.lingersMs)
      if (policies.closesStreams) destroy()
    },
    destroy,
  }
}

/** A header field is bytes: what is no ASCII goes out as it came in. */
const bytesOf = (text: string): string => Buffer.from(text, 'utf8').toString('latin1')

function refusalIn(status: number, text: string): Reply {
  if (status === 401) return failed('unauthorized', 'the server wants an authorization that the client does not have')
  let body: JsonObject | undefined
  try {
    const json = JSON.parse(text) as Json
    body = isObject(json) ? json : undefined
  } catch {
    // No JSON: the status says it all.
  }
  const error = at(body, 'error')
  return isObject(error) ? errorReply(error) : failed('lost', `HTTP ${status}`)
}
