/** What only a server behind a URL has: requests by hand, streams, and the port itself. */
import type { Conversation } from '../dialects/family.ts'
import { request } from '../wire/json-rpc.ts'
import { within } from '../wire/wait.ts'
import type { EndpointRequest, HttpLink } from './http-link.ts'
import { accepts } from './launched-server.ts'
import type { HeaderEdits } from './link.ts'
import { readUntil, streamOf } from './reading.ts'
import type { HttpReply } from './reply.ts'
import type { RawHttp, ServerPeer } from './server-peer.ts'
import type { Timeouts } from './target.ts'

export type Endpoint = Pick<ServerPeer, 'local' | 'http' | 'socket' | 'listen' | 'reachableElsewhere'>

export interface EndpointParts {
  http: HttpLink | undefined
  conversation: Conversation
  timeouts: Timeouts
  /** addresses of this host beside loopback, where we started the server ourselves */
  elsewhere: readonly string[]
}

export function createEndpoint(parts: EndpointParts): Endpoint {
  const { http, timeouts } = parts
  const needed = (): HttpLink => {
    if (http === undefined) throw new Error('this scenario needs HTTP: say needs: { via: "http" }')
    return http
  }
  return {
    local: http === undefined || /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/i.test(new URL(http.url).hostname),
    http: raw => exchangeByHand(needed(), raw, timeouts),
    socket: async (bytes, withinMs = timeouts.replyMs) => needed().socket(bytes, withinMs),
    async listen(options = {}) {
      const exchange = needed().exchange(streamRequest(parts.conversation, options))
      await within(exchange.head, options.withinMs ?? timeouts.replyMs)
      return streamOf(exchange, timeouts)
    },
    async reachableElsewhere() {
      const tried = [...parts.elsewhere]
      if (http === undefined || tried.length === 0) return undefined
      const answers = await Promise.all(tried.map(address => accepts(http.url, address)))
      return { tried, open: tried.filter((_, index) => answers[index]) }
    },
  }
}

async function exchangeByHand(http: HttpLink, raw: RawHttp, timeouts: Timeouts): Promise<HttpReply> {
  const body = typeof raw.body === 'object' && !(raw.body instanceof Uint8Array) ? JSON.stringify(raw.body) : raw.body
  const exchange = http.exchange({
    method: raw.method,
    ...(raw.headers === undefined ? {} : { headers: raw.headers }),
    ...(body === undefined ? {} : { body }),
    ...(raw.pieces === undefined ? {} : { pieces: raw.pieces }),
    ...(raw.url === undefined ? {} : { url: raw.url }),
  })
  const until = raw.until ?? (raw.method === 'GET' ? 'head' : 'response')
  await readUntil(exchange, until, raw.withinMs ?? timeouts.replyMs)
  return exchange.reply
}

type ListenOptions = NonNullable<Parameters<ServerPeer['listen']>[0]>

/** Streams have ids of their own, so that they never meet one of a request. */
let streams = 0

/** The request that opens a stream of changes: a GET, or a request whose answer stays open. */
function streamRequest(conversation: Conversation, { lastEventId, headers, filter }: ListenOptions): EndpointRequest {
  const how = conversation.watch(filter ?? {})
  if (how.by === 'request') {
    streams += 1
    const message = conversation.decorate(request(`stream-${streams}`, how.call.method, how.call.params))
    return { method: 'POST', body: JSON.stringify(message), ...(headers === undefined ? {} : { headers }) }
  }
  const resumed: HeaderEdits | undefined =
    lastEventId === undefined ? headers : { ...Object.fromEntries(conversation.resume(lastEventId) ?? []), ...headers }
  return { method: 'GET', ...(resumed === undefined ? {} : { headers: resumed }) }
}
