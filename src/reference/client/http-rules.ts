/** How the client uses HTTP, as values that can be replaced (basic/transports#streamable-http). */
import { isObject, type Json } from '../../wire/json-rpc.ts'
import type { SseParser } from '../../wire/sse.ts'
import { parseEvents, type StreamEvent } from './event-parser.ts'

/** An HTTP request, and what is known when it is made. */
export interface HttpView {
  method: 'POST' | 'GET' | 'DELETE'
  message: Json | undefined
  /** where a broken stream is taken up */
  lastEventId: string | undefined
  /** as the server gave it, undefined as long as it gave none */
  sessionId: string | undefined
  /** the one of the session before this one, if the server forgot that */
  previousId: string | undefined
  /** the revision that was agreed */
  version: string | undefined
}

/** A stream that has ended before all was said. */
export interface EndedStream {
  kind: 'post' | 'get'
  /** the ids of its events, in their order */
  ids: readonly string[]
  /** the last `retry` field */
  retryMs: number | undefined
  /** how often it was taken up in vain: nothing has come since */
  fruitless: number
  /** how often it was taken up at all */
  rounds: number
}

export interface HttpRules {
  accept(view: HttpView): string | undefined
  contentType(view: HttpView): string | undefined
  sessionHeader(view: HttpView): string | undefined
  versionHeader(view: HttpView): string | undefined
  /** further fields */
  headers(view: HttpView): Record<string, string>
  /** The session id that is used, of the one that was given. */
  sessionId(given: string | undefined): string | undefined
  /** Whether an answer of that media type can be read. */
  reads(type: string): boolean
  /** The text of a body that came in several reads. */
  decode(chunks: readonly Uint8Array[]): string
  /** Takes an event stream apart. */
  events(onEvent: (event: StreamEvent) => void): SseParser
  /** Whether the data of an event is a message, by its type and the stream. */
  dispatches(event: string | undefined, kind: 'post' | 'get'): boolean
  /** An event came whose data is empty. */
  onEmptyEvent(): void
  /** The event id with which a stream is taken up; without one it cannot be. */
  lastEventId(ids: readonly string[]): string | undefined
  /** How the stream of a request is taken up. */
  resumes(stream: EndedStream): 'get' | 'post' | 'give up'
  /** Milliseconds before that. */
  resumesAfter(stream: EndedStream): number
  /** Whether a stream is taken up that has brought its answer already. */
  resumesAnswered: boolean
  /** Whether the caller of a request is told that its answer will not come, by what has ended without it. */
  tells(lost: 'stream' | 'status' | 'body'): boolean
  /** The method of the request that follows a redirect; undefined: none is followed. */
  follows(status: number): 'POST' | 'GET' | undefined
  /** Whether the server gets a stream for what it says by itself. */
  listens: boolean
  /** Milliseconds before that stream is opened again; undefined: it is not. */
  listensAgainAfter(stream: EndedStream): number | undefined
  /** Milliseconds for which the streams stay open when all is done. */
  lingersMs: number
  /** Whether the connections of a session end with it. */
  closesStreams: boolean
  /** Whether the session is ended by DELETE; the version is undefined where none was agreed. */
  deletes(sessionId: string | undefined, version: string | undefined): boolean
  /** Whether that status of the first POST makes it look for the transport of 2024-11-05. */
  fallsBack(status: number): boolean
  fallbackWaitMs: number
}

/** Where the server names no time. */
const USUAL_RETRY_MS = 1_000
const MAX_FRUITLESS = 10
/** A server that keeps closing its stream does not want one. */
const MAX_LISTENS = 5
const FALLBACK_WAIT_MS = 1_500

const waitOf = ({ retryMs }: EndedStream): number => retryMs ?? USUAL_RETRY_MS

export const correctHttp = (): HttpRules => ({
  accept: ({ method }) =>
    method === 'POST' ? 'application/json, text/event-stream' : method === 'GET' ? 'text/event-stream' : undefined,
  contentType: ({ method }) => (method === 'POST' ? 'application/json' : undefined),
  sessionHeader: ({ sessionId, message }) =>
    isObject(message) && message.method === 'initialize' ? undefined : sessionId,
  versionHeader: ({ version }) => version,
  headers: () => ({}),
  sessionId: given => given,
  reads: type => type === 'application/json' || type === 'text/event-stream',
  decode: chunks => Buffer.concat(chunks).toString('utf8'),
  events: parseEvents,
  dispatches: event => event === undefined || event === '' || event === 'message',
  onEmptyEvent: () => {},
  // An empty id takes the ones before it back.
  lastEventId: ids => (ids.at(-1) === '' ? undefined : ids.at(-1)),
  resumes: ({ fruitless }) => (fruitless < MAX_FRUITLESS ? 'get' : 'give up'),
  resumesAfter: waitOf,
  resumesAnswered: false,
  tells: () => true,
  follows: () => undefined,
  listens: true,
  listensAgainAfter: stream => (stream.rounds < MAX_LISTENS ? Math.max(waitOf(stream), USUAL_RETRY_MS) : undefined),
  lingersMs: 0,
  closesStreams: true,
  deletes: (sessionId, version) => sessionId !== undefined && version !== undefined,
  fallsBack: status => status === 400 || status === 404 || status === 405,
  fallbackWaitMs: FALLBACK_WAIT_MS,
})
