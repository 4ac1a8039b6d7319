/** How our server behaves on its transport, as far as scripts choose it, and what it keeps of the requests that came. */
import type { Json, JsonObject } from '../../wire/json-rpc.ts'
import type { Frame, HeaderList } from '../../wire/log.ts'
import type { SseLayout } from '../../wire/sse-writer.ts'
import type { Conversation } from './call.ts'

export interface HttpBehaviour {
  path: string
  /** The session id that goes with the answer to `initialize`; undefined: none is used. */
  sessionId(): string | undefined
  /** How a request is answered; where something has to be sent first, an event stream is opened anyway. */
  answerBy(message: JsonObject): 'json' | 'sse'
  contentType: string
  layout: SseLayout
  /** Events have ids, and streams can be resumed. */
  ids: boolean
  eventId(stream: number, count: number): string
  /** Each stream begins with an event that has an id and empty data. */
  primes: boolean
  retryMs: number | undefined
  /** GET: a stream, or a refusal with that status. */
  get: 'stream' | number
  /** The status of the answer to DELETE. */
  deletion: number
  /** The status for notifications and responses. */
  acceptedStatus: number
  /** The status of a request in a session that is not known (any more). */
  unknownSession: number
  /** Sees each request first; true: it has answered itself. */
  intercept?(request: HttpSeen, responder: Responder): boolean | Promise<boolean>
}

export interface HttpSeen {
  method: string
  /** path and query */
  target: string
  headers: HeaderList
  body: string
  json?: Json
  /** by its session id */
  conversation: Conversation | undefined
  at: number
  /** the frames of its head and of its message */
  frames: Frame[]
  session: string
}

export interface Responder {
  head(status: number, headers?: HeaderList): void
  write(bytes: string | Uint8Array): Promise<void>
  end(bytes?: string | Uint8Array): void
  cut(): void
}

export interface StdioBehaviour {
  /** What the server does when its stdin ends, and when it gets SIGTERM. */
  onEof: 'exit' | 'stay'
  onTerminate: 'exit' | 'stay'
  /** Written to stderr as soon as it runs. */
  complains: string
}
