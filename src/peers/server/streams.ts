/** The event streams of one session: which of them there are, which is continued, and which hears what belongs to no request. */
import type { JsonObject } from '../../wire/json-rpc.ts'
import type { EventStore } from './event-store.ts'
import {
  type Connection,
  createEventStream,
  type ServerStream,
  type StreamBehaviour,
  type StreamView,
} from './event-stream.ts'
import type { Said } from './outcome.ts'

/** How something that is said becomes events; `cause` is the message that it belongs to. False where it is lost. */
export type Delivery = (
  stream: ServerStream,
  said: Said,
  cause: JsonObject | undefined,
  note?: unknown,
) => boolean | Promise<boolean>

export interface StreamsOptions {
  session: string
  behaviour: StreamBehaviour
  store: EventStore
  /** The name of a new stream, among all that the store knows. */
  nextId(): string
  /** Which open streams get a message that belongs to no request. */
  route(open: readonly StreamView[]): readonly StreamView[]
  /** Sends on a stream what is said there. */
  deliver: Delivery
  /** What nobody hears waits for the next stream of GET; else it is lost. */
  holds: boolean
}

export interface Streams {
  open(kind: 'post' | 'get', connection: Connection): ServerStream
  /** Continues a stream behind an event; undefined where that is not known in this session. */
  resume(connection: Connection, lastEventId: string): ServerStream | 'over' | undefined
  /** Sends what belongs to no request. */
  announce(said: Said, cause: JsonObject | undefined, note?: unknown): boolean | Promise<boolean>
  /** The streams of GET that can be heard. */
  readonly gets: readonly ServerStream[]
  /** Ends all of them. */
  endAll(): void
}

/** Finished streams beyond this are forgotten: what the store kept of them is replayed all the same. */
const KEPT_STREAMS = 1_000

export function createStreams(options: StreamsOptions): Streams {
  const { behaviour, store, session } = options
  const streams = new Map<string, ServerStream>()
  let held: Said[] = []

  const heard = (): ServerStream[] => [...streams.values()].filter(stream => stream.isConnected && !stream.isFinished)
  const announce = (said: Said, cause: JsonObject | undefined, note?: unknown): boolean | Promise<boolean> => {
    const chosen = options.route(heard().map(({ view }) => view)).flatMap(({ id }) => streams.get(id) ?? [])
    if (chosen.length === 0 && options.holds) held.push(said)
    return chosen.map(stream => options.deliver(stream, said, cause, note)).at(-1) ?? false
  }
  const sayHeld = (): void => {
    const waiting = held
    held = []
    for (const said of waiting) void announce(said, undefined)
  }
  const forgetOld = (): void => {
    if (streams.size <= KEPT_STREAMS) return
    for (const [id, stream] of streams) if (stream.isFinished) streams.delete(id)
  }
  return {
    open(kind, connection) {
      forgetOld()
      const stream = createEventStream({ id: options.nextId(), kind, session }, behaviour, store)
      streams.set(stream.view.id, stream)
      stream.attach(connection)
      stream.prime()
      if (kind === 'get') sayHeld()
      return stream
    },
    resume(connection, lastEventId) {
      const found = store.after(lastEventId, session)
      if (found === undefined) return undefined
      const known = streams.get(found.stream)
      // One that is not known any more is over, or another session's: it is replayed from the store, and ends.
      const stream = known ?? createEventStream({ id: found.stream, kind: 'get', session }, behaviour)
      stream.attach(connection)
      stream.replay(found.events)
      if (known === undefined) {
        void stream.close()
        return 'over'
      }
      streams.delete(known.view.id)
      streams.set(known.view.id, known)
      if (known.view.kind === 'get') sayHeld()
      return known
    },
    announce,
    get gets() {
      return heard().filter(({ view }) => view.kind === 'get')
    },
    endAll() {
      for (const stream of streams.values()) void stream.finish()
      streams.clear()
    },
  }
}
