/**
 * Our client, as scenarios see it: it says exactly what it is told to say to a server under test and
 * returns what came back as values. Nothing here judges.
 */
import type { Hello, WatchFilter } from '../dialects/family.ts'
import type { Via } from '../spec/catalogue.ts'
import type { Revision } from '../spec/revision.ts'
import type { Json, JsonObject, RequestId } from '../wire/json-rpc.ts'
import type { Frame, MessageFrame } from '../wire/log.ts'
import type { SseBlock } from '../wire/sse.ts'
import type { Handler } from './correlator.ts'
import type { HeaderEdits, ProcessControl } from './link.ts'
import type { Outcome } from './outcome.ts'
import type { HttpReply, Probe, Reply } from './reply.ts'
import type { Timeouts } from './target.ts'

export interface RequestOptions {
  /** the id to use; else the next integer */
  id?: RequestId
  meta?: JsonObject
  headers?: HeaderEdits
  /** without what the family puts into each request: as params say, and nothing else */
  bare?: true
  withinMs?: number
  /** a deliberate fault of ours; the monitors must not judge it */
  intended?: 'fault'
  /** exact: an answer with a converted or missing id is not taken for the answer to this request */
  match?: 'exact'
  /** never: a stream that ends early is not resumed by GET */
  resume?: 'never'
}

/** A request under way; awaiting it gives the Reply. */
export interface Pending extends PromiseLike<Reply> {
  readonly id: RequestId
  /** Cancels it as the family does: by notifications/cancelled, or by closing the stream of the answer. */
  cancel(reason?: string): Promise<void>
  /** HTTP: drops the connection, which is no cancellation with a session (basic/transports#sending-messages-to-the-server). */
  disconnect(): void
  /** The notifications that came with it so far: on its own stream, or over stdio while it was open. */
  notifications(): MessageFrame[]
  /** What it comes to: a complete result, a result that asks for input, an error, or nothing. */
  outcome(): Promise<Outcome>
  /** The reply at the very end: input that a result asks for is given by what `on` has set up, and the request sent again. */
  completed(): Promise<Reply>
}

export interface Stream {
  /** The head of the answer; status 0 where none came. */
  readonly http: HttpReply
  /** Resolves with the first event that fits, already seen ones included. */
  event(fits: (block: SseBlock) => boolean, withinMs?: number): Promise<SseBlock | undefined>
  readonly events: readonly SseBlock[]
  readonly lastEventId: string | undefined
  readonly frames: Frame[]
  readonly isOver: boolean
  close(): void
}

export interface RawHttp {
  method: string
  /** on top of the usual ones; `null` leaves one out */
  headers?: HeaderEdits
  body?: string | Uint8Array | JsonObject
  url?: string
  /** The body in pieces, each written after a pause: for messages cut inside a character. */
  pieces?: Uint8Array[]
  /** head: stop reading once the head is there; response: once the answer to the body's request is there */
  until?: 'head' | 'response' | 'end'
  withinMs?: number
}

export interface ServerPeer {
  readonly via: Via
  /** The target runs on this host: a process, or a URL of loopback. */
  readonly local: boolean
  /** What was negotiated; before that, what we offer. */
  readonly revision: Revision
  readonly capabilities: JsonObject
  /** The answer to the opening request; undefined without a handshake. */
  readonly opening: Reply | undefined
  /** The opening request that we sent (or would send). */
  readonly hello: { method: string; params: JsonObject }
  readonly sessionId: string | undefined
  /** Takes the answer to an opening request that the scenario sent itself: what it agrees goes with what follows. */
  adopt(opening: Reply): void
  readonly timeouts: Timeouts
  /** Whether this entry of tools/list may be called: `--call-tools`; fixtures always. */
  mayCall(tool: Json | undefined): boolean
  request(method: string, params?: JsonObject, options?: RequestOptions): Pending
  /** Sends a notification; over HTTP with the answer to its POST. */
  notify(
    method: string,
    params?: JsonObject,
    options?: { headers?: HeaderEdits },
  ): Promise<{ http?: HttpReply; frames: Frame[] }>
  /** Sends anything as it is, then waits until the barrier sent behind it is answered. Bytes get no newline. */
  raw(payload: string | Uint8Array | Json[] | JsonObject, options?: { headers?: HeaderEdits }): Promise<Probe>
  /** stdio: writes a part of a message, as it is, and waits for nothing. */
  bytes(part: string | Uint8Array): Promise<void>
  /** Waits until the target has answered a barrier sent now, and a little longer; what it said meanwhile. */
  settle(): Promise<Probe>
  /** A request with an id of its own and all that the family wants in it, to be sent by `http`. */
  draft(method: string, params?: JsonObject): JsonObject
  http(request: RawHttp): Promise<HttpReply>
  /** Writes bytes to the port of the endpoint as they are, and reads what comes until the connection ends or nothing more comes. */
  socket(bytes: string | Uint8Array, withinMs?: number): Promise<HttpReply>
  /** Opens the stream of changes (or resumes one), as the family does; `filter` is what to listen for, where that can be said. */
  listen(options?: {
    lastEventId?: string
    headers?: HeaderEdits
    withinMs?: number
    filter?: WatchFilter
  }): Promise<Stream>
  /**
   * At which other addresses of this host the server's port accepts connections; undefined where we did not start the
   * server ourselves, or the host has no other address.
   */
  reachableElsewhere(): Promise<{ tried: string[]; open: string[] } | undefined>
  on(method: string, handler: Handler): void
  /** Messages of the target in this session, from frame number `since` on. */
  heard(since?: number): MessageFrame[]
  /** The number of the newest frame. */
  readonly mark: number
  /** A second session on the same target: over stdio a second process. It ends with the scenario. */
  another(hello?: Hello | 'no-handshake'): Promise<ServerPeer>
  /** Watches for `timeouts.watchMs`, where no barrier can be set; what the target said meanwhile. */
  watch(): Promise<MessageFrame[]>
  /** Lets time pass, where a clause is about time. */
  pause(ms: number): Promise<void>
  readonly process?: ProcessControl
}
