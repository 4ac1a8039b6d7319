/**
 * An event stream of a server: it belongs to a request, or to nothing but its session, and outlives the connection that
 * carries it. It knows neither sessions nor HTTP: a connection is something that can be written to, and ends.
 */
import type { Json } from '../../wire/json-rpc.ts'
import type { EventFields } from '../../wire/sse-writer.ts'
import type { EventStore, StoredEvent } from './event-store.ts'
import type { Said } from './outcome.ts'
import { createQueue } from './queue.ts'

/** What decisions about a stream are made by. */
export interface StreamView {
  id: string
  kind: 'post' | 'get'
  session: string
}

/** What carries a stream at the moment. */
export interface Connection {
  /** Resolves when everything is written, where that takes its time. */
  write(bytes: string | Uint8Array): void | Promise<void>
  /** Sends the head, where nothing is written yet. */
  flush(): void
  end(): void
  /** Breaks it off. */
  destroy(): void
  readonly isOpen: boolean
  onClose(see: () => void): void
  /** Where it is written down what it carries, also behind its end. */
  readonly log?: StreamLog
}

export interface StreamLog {
  message(said: Said, note: unknown): void
  event(fields: EventFields, raw: string, note: unknown): void
}

/** How a server writes its streams. */
export interface StreamBehaviour {
  /** The id of an event; undefined: it has none, and the stream cannot be continued behind it. */
  eventId?(stream: StreamView, count: number): string | undefined
  /** What the stream begins with. */
  priming?(stream: StreamView): EventFields | undefined
  format(fields: EventFields): string
  /** The event that carries a message. */
  carry(message: Json): EventFields
  /** The texts in place of an event's text. */
  rewrite?(raw: string, message: Json | undefined, on: 'post' | 'get'): string[]
  /** The connection is closed behind this event, and the stream goes on. */
  closesAfter?(stream: StreamView, count: number): boolean
  /** Nothing more will come, and the connection is left open all the same. */
  leavesOpen?(): boolean
}

export interface ServerStream {
  readonly view: StreamView
  /** Carries the stream from now on. */
  attach(connection: Connection): void
  /** Sends the event that a stream begins with. */
  prime(): void
  message(message: Json, note?: unknown): boolean | Promise<boolean>
  /** An event as it is told; false where it is lost. `note` is for the log. */
  event(fields: EventFields, note?: unknown): boolean | Promise<boolean>
  raw(bytes: string | Uint8Array): boolean | Promise<boolean>
  /** Sends again what a store kept. */
  replay(events: readonly StoredEvent[]): void
  /** Ends the connection in good order; the stream goes on. */
  close(): void | Promise<void>
  /** Breaks the connection off; the stream goes on. */
  cut(): void
  /** Nothing more will come: the connection ends, also one that is still to be made. */
  finish(): void | Promise<void>
  readonly isConnected: boolean
  readonly isFinished: boolean
  /** that of the newest connection */
  readonly log: StreamLog | undefined
  readonly lastEventId: string | undefined
}

/** The connection under a stream, as long as there is one. */
interface Carrier {
  attach(connection: Connection): void
  /** False where nobody is there. */
  write(bytes: string | Uint8Array): boolean | Promise<boolean>
  flush(): void
  close(): void
  cut(): void
  readonly isConnected: boolean
  readonly log: StreamLog | undefined
}

function createCarrier(): Carrier {
  let connection: Connection | undefined
  let log: StreamLog | undefined
  const letGo = (): Connection | undefined => {
    const ending = connection
    connection = undefined
    return ending
  }
  return {
    attach(next) {
      connection = next
      log = next.log
      next.onClose(() => {
        // A stream that was continued has another connection by now.
        if (connection === next) letGo()?.end()
      })
    },
    write(bytes) {
      const to = connection
      if (to?.isOpen !== true) return false
      const writing = to.write(bytes)
      return writing === undefined ? to.isOpen : writing.then(() => to.isOpen)
    },
    flush: () => connection?.flush(),
    close: () => letGo()?.end(),
    cut: () => letGo()?.destroy(),
    get isConnected() {
      return connection !== undefined
    },
    get log() {
      return log
    },
  }
}

/** Gives events their ids, keeps them, and writes them. */
function createEmitter(view: StreamView, behaviour: StreamBehaviour, carrier: Carrier, store: EventStore | undefined) {
  let count = 0
  let lastEventId: string | undefined
  const write = (raw: string, message: Json | undefined, on = view.kind): boolean | Promise<boolean> =>
    (behaviour.rewrite?.(raw, message, on) ?? [raw]).map(carrier.write).at(-1) ?? true
  return {
    emit(fields: EventFields, message: Json | undefined, note: unknown): boolean | Promise<boolean> {
      count += 1
      const id = fields.id ?? behaviour.eventId?.(view, count)
      const whole = { ...fields, ...(id === undefined ? {} : { id }) }
      const raw = behaviour.format(whole)
      carrier.log?.event(whole, raw, note)
      if (id !== undefined) {
        lastEventId = id
        const own = message === undefined ? { fields } : {}
        store?.append({ id, stream: view.id, session: view.session, message, ...own })
      }
      const written = write(raw, message)
      if (behaviour.closesAfter?.(view, count) === true) carrier.close()
      // With an id it waits for whoever comes back.
      return id !== undefined || written
    },
    /** Writes an event that a store kept. */
    repeat({ id, message, fields }: StoredEvent): boolean | Promise<boolean> {
      const known = fields ?? (message === undefined ? { data: '' } : behaviour.carry(message))
      return write(behaviour.format({ ...known, id }), message, 'get')
    },
    get lastEventId() {
      return lastEventId
    },
  }
}

export function createEventStream(view: StreamView, behaviour: StreamBehaviour, store?: EventStore): ServerStream {
  const enqueue = createQueue()
  const carrier = createCarrier()
  const events = createEmitter(view, behaviour, carrier, store)
  let finished = false
  const emit = (fields: EventFields, message: Json | undefined, note: unknown): boolean | Promise<boolean> =>
    enqueue(() => events.emit(fields, message, note))
  return {
    view,
    attach: carrier.attach,
    prime() {
      const fields = behaviour.priming?.(view)
      if (fields === undefined) carrier.flush()
      else void emit(fields, undefined, undefined)
    },
    message: (message, note) => emit(behaviour.carry(message), message, note),
    event: (fields, note) => emit(fields, undefined, note),
    raw: bytes => enqueue(() => carrier.write(bytes)),
    replay(stored) {
      void enqueue(async () => {
        carrier.flush()
        for (const event of stored) {
          const writing = events.repeat(event)
          if (writing instanceof Promise) await writing
        }
        if (finished) carrier.close()
      })
    },
    close: () => enqueue(carrier.close),
    cut: carrier.cut,
    finish: () =>
      enqueue(() => {
        finished = true
        if (behaviour.leavesOpen?.() !== true) carrier.close()
      }),
    get isConnected() {
      return carrier.isConnected
    },
    get isFinished() {
      return finished
    },
    get log() {
      return carrier.log
    },
    get lastEventId() {
      return events.lastEventId
    },
  }
}
