/** What comes over HTTP: logged before anybody looks at it, kept for the judges, and shown to the script first. */
import type { Json, JsonObject } from '../../wire/json-rpc.ts'
import { readLine } from '../../wire/lines.ts'
import type { Frame, FrameContext, HeaderList, MessageFrame, WireLog } from '../../wire/log.ts'
import { createCollector } from '../server/collector.ts'
import type { Exchange } from '../server/endpoint.ts'
import type { ResponseChannel } from '../server/response-channel.ts'
import type { HttpBehaviour, HttpSeen } from './behaviour.ts'
import type { OpenConversation } from './conversation.ts'
import type { DoubleCore } from './core.ts'
import { respond } from './responder.ts'

/** A client that sends more than this in one start goes round in circles, or floods us: it is judged by what it sent so far. */
const MAX_REQUESTS = 5_000
const TOO_MANY = `more than ${MAX_REQUESTS} requests came; all others are answered 503 and not looked at`

export interface Arrival {
  context: FrameContext
  conversation: OpenConversation | undefined
  /** that of the message in the body */
  frame: MessageFrame | undefined
  /** all of them */
  frames: Frame[]
}

export interface Arrivals {
  readonly requests: readonly HttpSeen[]
  /** True: it is answered. */
  arrive(exchange: Exchange): Promise<boolean>
  of(exchange: Exchange): Arrival
  /** Nobody takes the message. */
  note(exchange: Exchange): void
  /** Somebody does; without a channel for answers, they are given back. */
  receive(exchange: Exchange, conversation: OpenConversation, channel?: ResponseChannel): readonly Json[]
}

export interface ArrivalOptions {
  core: DoubleCore
  http: HttpBehaviour
  log: WireLog
  base: FrameContext
  begin(hello: JsonObject): OpenConversation
  find(headers: HeaderList): OpenConversation | undefined
}

export function createArrivals(options: ArrivalOptions): Arrivals {
  const { core, http, log, base } = options
  const requests: HttpSeen[] = []
  const known = new WeakMap<Exchange, Arrival>()
  const of = (exchange: Exchange): Arrival =>
    known.get(exchange) ?? { context: base, conversation: undefined, frame: undefined, frames: [] }
  const note = (exchange: Exchange): void => {
    const { frame } = of(exchange)
    if (frame !== undefined) core.note(frame)
  }
  return {
    requests,
    of,
    note,
    async arrive(exchange) {
      if (exchange.number > MAX_REQUESTS) {
        if (exchange.number === MAX_REQUESTS + 1) log.add({ ...base, kind: 'end', why: 'failed', detail: TOO_MANY })
        exchange.response.writeHead(503).end()
        return true
      }
      const { arrival, seen } = await look(exchange, options)
      known.set(exchange, arrival)
      requests.push(seen)
      const responder = respond(exchange.response, log, arrival.context)
      if ((await http.intercept?.(seen, responder)) !== true) return false
      note(exchange)
      return true
    },
    receive(exchange, conversation, channel) {
      const { frame } = of(exchange)
      const collector = createCollector()
      if (frame !== undefined) core.receive(conversation, frame, channel ?? collector, exchange.header)
      return collector.messages
    },
  }
}

/** Logs a request, and finds out whose it is. */
async function look(
  exchange: Exchange,
  { core, log, base, begin, find }: ArrivalOptions,
): Promise<{ arrival: Arrival; seen: HttpSeen }> {
  const { method, target, headers } = exchange
  const bytes = Buffer.concat((await exchange.body()).chunks)
  const line = bytes.length === 0 ? undefined : readLine(bytes)
  const json = line?.json
  const known = find(headers)
  const hello = core.era.opening(method === 'POST' ? json : undefined, known !== undefined)
  const conversation = hello === undefined ? known : begin(hello)
  const context: FrameContext = {
    ...(conversation?.context ?? { ...base, session: `${base.session}.0` }),
    exchange: exchange.number,
  }
  const head = log.add({ ...context, kind: 'http', from: 'them', start: `${method} ${target}`, headers })
  const frames: Frame[] = [head]
  let frame: MessageFrame | undefined
  if (line !== undefined && (method === 'POST' || json !== undefined)) {
    frame = log.add({ ...context, kind: 'message', from: 'them', ...line }) as MessageFrame
    frames.push(frame)
  } else if (line !== undefined) {
    frames.push(log.add({ ...context, kind: 'body', from: 'them', text: line.text, length: bytes.length }))
  }
  const seen: HttpSeen = {
    method,
    target,
    headers,
    body: line?.text ?? '',
    ...(json === undefined ? {} : { json }),
    conversation,
    at: head.at,
    frames,
    session: context.session,
  }
  return { arrival: { context, conversation, frame, frames }, seen }
}
