/** How the reference server uses HTTP and its streams, as values that can be replaced (basic/transports#streamable-http). */
import { randomUUID } from 'node:crypto'
import { createEventStore, type EventStore } from '../peers/server/event-store.ts'
import type { StreamView } from '../peers/server/event-stream.ts'
import { guardAccept, guardContentType, guardHost, guardOrigin, guardVersion } from '../peers/server/guards.ts'
import { type Refusal, refuse } from '../peers/server/outcome.ts'
import type { Json, JsonObject } from '../wire/json-rpc.ts'
import type { SessionView } from './views.ts'

export interface HttpPolicies {
  // HTTP
  origin(origin: string | undefined): Refusal | undefined
  host(host: string | undefined): Refusal | undefined
  /** Who sends a request, by its Authorization header: nobody in particular on an open server. */
  identify(authorization: string | undefined): { user?: string } | Refusal
  /** The session belongs to another user. */
  foreignSession(): Refusal | undefined
  accept(method: string, accept: string | undefined): Refusal | undefined
  contentType(contentType: string | undefined): Refusal | undefined
  versionHeader(value: string | undefined, session: SessionView | undefined, method: string): Refusal | undefined
  sessionIds(): string | undefined
  missingSession(message: Json | undefined, method: string): Refusal | undefined
  unknownSession(id: string, method: string): Refusal | undefined
  endedSession(id: string, method: string): Refusal | undefined
  /** DELETE: whether the session really ends, and the status; its open streams end with it, unless told otherwise. */
  deletion(session: SessionView): { ends: boolean; status: number; leavesStreams?: true }
  get(session: SessionView | undefined): Refusal | undefined
  answerBy(message: JsonObject): 'json' | 'sse'
  notificationStatus(message: JsonObject): { status: number; body: string }
  malformedStatus: number
  /** The text of a body, which may come in several reads. */
  readBody(chunks: readonly Uint8Array[]): string
  /** A connection brought no HTTP, or ended before its request was whole. */
  onBrokenRequest(): void
  /** Several GET streams in one session. */
  secondGet(session: SessionView): Refusal | undefined

  // streams
  store(): EventStore
  eventId(stream: StreamView, count: number): string | undefined
  /** Milliseconds in the `retry` field, sent with the priming event. */
  retryMs: number | undefined
  primes(stream: StreamView): boolean
  /** Which open streams get a message that belongs to no request. */
  route(open: readonly StreamView[]): readonly StreamView[]
  /** True: a notification that belongs to a request goes where those go that belong to none. */
  strays(method: string): boolean
  /** Whether a tool may close the connection of its stream and let the client poll (part of 2025-11-25). */
  polls(version: string | undefined): boolean
  /** The connection of a GET stream is closed behind that many events, and the stream goes on. */
  closesGetAfter: number | undefined
  /** How text becomes bytes. */
  encoding: 'utf8' | 'latin1'
  /** After the response the stream ends. */
  endsAfterResponse: boolean
  /** What a dropped connection does to the request. */
  onDisconnect(): 'continue' | 'cancel'
}

export const defaultHttpPolicies = (): HttpPolicies & ThisType<{ versions: readonly string[] }> => ({
  origin: guardOrigin,
  host: guardHost,
  identify: () => ({}),
  foreignSession: () => refuse(404, 'there is no such session'),
  accept: guardAccept,
  contentType: guardContentType,
  versionHeader(value) {
    return guardVersion(value, this.versions)
  },
  sessionIds: () => randomUUID(),
  missingSession: () => refuse(400, 'MCP-Session-Id is missing'),
  unknownSession: () => refuse(404, 'there is no such session'),
  endedSession: () => refuse(404, 'the session has ended'),
  deletion: () => ({ ends: true, status: 204 }),
  get: () => undefined,
  // A poll is better answered without a stream (basic/utilities/tasks#input-required-status).
  answerBy: ({ method }) => (method === 'tasks/get' ? 'json' : 'sse'),
  notificationStatus: () => ({ status: 202, body: '' }),
  malformedStatus: 400,
  readBody: chunks => Buffer.concat(chunks).toString('utf8'),
  onBrokenRequest: () => {},
  secondGet: () => undefined,

  store: () => createEventStore(),
  eventId: (stream, count) => `${stream.id}_${count}`,
  retryMs: 100,
  primes: () => true,
  route: open => open.filter(stream => stream.kind === 'get').slice(0, 1),
  strays: () => false,
  polls: version => version !== undefined && version >= '2025-11-25',
  closesGetAfter: undefined,
  encoding: 'utf8',
  endsAfterResponse: true,
  onDisconnect: () => 'continue',
})
