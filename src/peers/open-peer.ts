/** Builds a ServerPeer over a link and opens the conversation in the words of the dialect. */
import type { Dialect, Hello, Opening } from '../dialects/dialect.ts'
import { isRevision, type Revision } from '../spec/revision.ts'
import { at, failure, idKey, notification, request, result, shapeOf } from '../wire/json-rpc.ts'
import type { MessageFrame, WireLog } from '../wire/log.ts'
import { sleep, within } from '../wire/wait.ts'
import { mayCall } from './callable.ts'
import { type Correlator, createCorrelator, type Handler } from './correlator.ts'
import { courtesies } from './courtesies.ts'
import { type HttpLink, sessionIdOf } from './http-link.ts'
import type { LinkEvents } from './link.ts'
import { readUntil, streamOf } from './reading.ts'
import type { HttpReply, Probe, Reply } from './reply.ts'
import { ask } from './request.ts'
import type { Pending, RawHttp, ServerPeer } from './server-peer.ts'
import { accepts } from './station.ts'
import type { StdioLink } from './stdio-link.ts'
import type { CallTools, Patience } from './target.ts'

/** What the engine needs beyond what scenarios see. */
export interface OpenPeer extends ServerPeer {
  /** The scenario in force; what the one before set up (handlers, further sessions) is undone. */
  enter(scenario: string): void
  leave(): Promise<void>
  close(): Promise<void>
  /** A request that every living peer answers; `ping` unless the target was found not to answer it. */
  liveness: string
  /** Gone for good: process ended or output closed. */
  readonly isGone: boolean
  readonly opened: Opening | undefined
}

export interface PeerParts {
  link: StdioLink | HttpLink
  log: WireLog
  dialect: Dialect
  offered: Revision
  patience: Patience
  hello: Hello | 'no-handshake'
  /** Addresses of this host beside loopback, where we started the server ourselves. */
  elsewhere?: string[]
  callTools: CallTools
  /** Sets where the link's messages go. */
  listen(events: LinkEvents): void
  /** Opens a further session on the same target. */
  another(hello: Hello | 'no-handshake', scenario: string | undefined): Promise<OpenPeer>
}

/** Frames and characters kept for `heard`; enough for any one scenario, whatever the target sends. */
const MAX_HEARD = 5_000
const MAX_HEARD_CHARS = 4 * 1024 * 1024

export async function openPeer(parts: PeerParts): Promise<OpenPeer> {
  const { link, log, dialect, patience } = parts
  const http = link.via === 'http' ? (link as HttpLink) : undefined
  const hello = dialect.opening(parts.hello === 'no-handshake' ? {} : parts.hello)
  const heard: MessageFrame[] = []
  let heardChars = 0
  let opening: Reply | undefined
  let opened: Opening | undefined
  let nextId = 0
  let children: OpenPeer[] = []
  let liveness = dialect.liveness

  const newCorrelator = (): Correlator =>
    createCorrelator((id, answer) => {
      const message =
        'result' in answer
          ? result(id, answer.result)
          : failure(id, answer.error.code, answer.error.message, answer.error.data)
      link.send(JSON.stringify(message))
    })
  // One for the life of the link: requests of one scenario may be answered while the next one runs.
  const correlator = newCorrelator()
  let handlers = new Map<string, Handler>()
  const defaults: Correlator['on'] = correlator.on
  for (const [method, answer] of courtesies(hello.params)) correlator.on(method, () => answer)
  parts.listen({
    message(frame) {
      heard.push(frame)
      heardChars += frame.text.length
      while (heard.length > MAX_HEARD || (heardChars > MAX_HEARD_CHARS && heard.length > 1)) {
        heardChars -= heard.shift()?.text.length ?? 0
      }
      correlator.receive(frame)
    },
  })

  const sendRequest: ServerPeer['request'] = (method, params, options = {}) => {
    nextId += 1
    const id = options.id ?? nextId
    const withMeta = options.meta === undefined ? params : { ...params, _meta: options.meta }
    const asking = ask(
      link,
      http,
      correlator,
      log,
      request(id, method, withMeta),
      id,
      options.withinMs ?? patience.replyMs,
      options,
    )
    const pending: Pending = {
      id,
      // biome-ignore lint/suspicious/noThenProperty: a request under way is awaited for its reply
      then: (fulfilled, rejected) => asking.reply.then(fulfilled, rejected),
      async cancel(reason) {
        await peer.notify('notifications/cancelled', { requestId: id, ...(reason === undefined ? {} : { reason }) })
      },
      disconnect: () => asking.disconnect(),
    }
    return pending
  }
  const settle = async (): Promise<Probe> => {
    const mark = log.size
    const reply = link.isGone ? undefined : await sendRequest(liveness, undefined, { match: 'exact' })
    const alive = reply !== undefined && showsLife(reply)
    if (alive) await sleep(patience.graceMs)
    const own = reply === undefined || !('id' in reply) ? undefined : idKey(reply.id)
    const messages = since(mark).filter(frame => !answersBarrier(frame, own))
    return { messages, alive, frames: reply?.frames ?? [] }
  }
  const since = (mark: number): MessageFrame[] => heard.filter(frame => frame.seq > mark)

  const sendHttp = async (raw: RawHttp): Promise<HttpReply> => {
    if (http === undefined) throw new Error('this scenario needs HTTP: say needs: { via: "http" }')
    const body = typeof raw.body === 'object' && !(raw.body instanceof Uint8Array) ? JSON.stringify(raw.body) : raw.body
    const exchange = http.exchange({
      method: raw.method,
      ...(raw.headers === undefined ? {} : { headers: raw.headers }),
      ...(body === undefined ? {} : { body }),
      ...(raw.pieces === undefined ? {} : { pieces: raw.pieces }),
      ...(raw.url === undefined ? {} : { url: raw.url }),
    })
    const until = raw.until ?? (raw.method === 'GET' ? 'head' : 'response')
    await readUntil(exchange, until, raw.withinMs ?? patience.replyMs)
    return exchange.reply
  }

  const adopt = (reply: Reply): void => {
    opening = reply
    if (reply.kind !== 'result') return
    opened = dialect.opened(reply.result)
    http?.adopt(reply.http === undefined ? undefined : sessionIdOf(reply.http.headers), dialect.headers(opened))
  }

  const peer: OpenPeer = {
    via: link.via,
    local: http === undefined || /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/i.test(new URL(http.url).hostname),
    get revision() {
      const version = opened?.protocolVersion
      return isRevision(version) ? version : parts.offered
    },
    get capabilities() {
      return opened?.capabilities ?? {}
    },
    get opening() {
      return opening
    },
    get opened() {
      return opened
    },
    hello,
    get sessionId() {
      return http?.sessionId
    },
    patience,
    get liveness() {
      return liveness
    },
    set liveness(method) {
      liveness = method
    },
    get isGone() {
      return link.isGone
    },
    request: sendRequest,
    mayCall: tool => mayCall(tool, parts.callTools),
    adopt,
    async notify(method, params, options = {}) {
      const sent = link.send(JSON.stringify(notification(method, params)), options)
      if (sent.over !== undefined && (await within(sent.over, patience.replyMs)) === undefined) sent.abort()
      return { frames: sent.frames, ...(sent.http === undefined ? {} : { http: sent.http }) }
    },
    async raw(payload, options = {}) {
      const mark = log.size
      const bytes = typeof payload === 'string' || payload instanceof Uint8Array ? payload : JSON.stringify(payload)
      const sent = link.send(bytes, { ...options, intended: 'fault' })
      if (sent.over !== undefined && (await within(sent.over, patience.replyMs)) === undefined) sent.abort()
      const after = await settle()
      const pings = new Set(after.frames.map(frame => frame.seq))
      return {
        messages: since(mark).filter(frame => !pings.has(frame.seq)),
        alive: after.alive,
        frames: [...sent.frames, ...after.frames],
        ...(sent.http === undefined ? {} : { http: sent.http }),
      }
    },
    async bytes(part) {
      link.send(typeof part === 'string' ? new TextEncoder().encode(part) : part, { intended: 'fault' })
    },
    settle,
    draft(method, params) {
      nextId += 1
      return request(nextId, method, params)
    },
    http: sendHttp,
    async socket(bytes, withinMs = patience.replyMs) {
      if (http === undefined) throw new Error('this scenario needs HTTP: say needs: { via: "http" }')
      return http.socket(bytes, withinMs)
    },
    async listen(options = {}) {
      if (http === undefined) throw new Error('this scenario needs HTTP: say needs: { via: "http" }')
      const edits =
        options.lastEventId === undefined
          ? options.headers
          : { 'Last-Event-ID': options.lastEventId, ...options.headers }
      const exchange = http.exchange({ method: 'GET', ...(edits === undefined ? {} : { headers: edits }) })
      await within(exchange.head, options.withinMs ?? patience.replyMs)
      return streamOf(exchange, patience)
    },
    async reachableElsewhere() {
      const tried = parts.elsewhere ?? []
      if (http === undefined || tried.length === 0) return undefined
      const answers = await Promise.all(tried.map(address => accepts(http.url, address)))
      return { tried, open: tried.filter((_, index) => answers[index]) }
    },
    on(method, handler) {
      handlers.set(method, handler)
      defaults(method, (message, frame) => {
        const current = handlers.get(method)
        if (current !== undefined) return current(message, frame)
        const usual = new Map(courtesies(hello.params)).get(method)
        return usual ?? { error: { code: -32601, message: 'Method not found' } }
      })
    },
    heard: (mark = 0) => since(mark),
    get mark() {
      return log.size
    },
    async another(next = {}) {
      const child = await parts.another(next, link.labels.scenario)
      children.push(child)
      return child
    },
    async watch() {
      const mark = log.size
      await sleep(patience.watchMs)
      return since(mark)
    },
    pause: sleep,
    ...('process' in link ? { process: link.process } : {}),
    enter(scenario) {
      link.labels.scenario = scenario
      handlers = new Map()
    },
    async leave() {
      const ending = children
      children = []
      handlers = new Map()
      await Promise.all(ending.map(child => child.close()))
    },
    async close() {
      await peer.leave()
      await link.close()
    },
  }

  if (parts.hello !== 'no-handshake') {
    const reply = await sendRequest(hello.method, hello.params, { withinMs: patience.handshakeMs })
    adopt(reply)
    if (reply.kind === 'result') {
      if (dialect.confirmation !== undefined) await peer.notify(dialect.confirmation)
    }
  }
  return peer
}

/** An answer to the very request; an error without its id may be a refusal of something else. */
export const showsLife = (reply: Reply): boolean =>
  reply.kind === 'result' || (reply.kind === 'error' && reply.id !== undefined && reply.id !== null)

const answersBarrier = (frame: MessageFrame, own: string | undefined): boolean => {
  const shape = shapeOf(frame.json)
  return (shape === 'result' || shape === 'error') && own !== undefined && idKey(at(frame.json, 'id')) === own
}
