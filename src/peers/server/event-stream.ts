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

export function createEventStream(view: StreamView, behaviour: StreamBehaviour, store?: EventStore): ServerStream {
  const enqueue = createQueue()
  let connection: Connection | undefined
  let log: StreamLog | undefined
  let finished = false
  let count = 0
  let lastEventId: string | undefined

  const write = (bytes: string | Uint8Array): boolean | Promise<boolean> => {
    const to = connection
    if (to?.isOpen !== true) return false
    const writing = to.write(bytes)
    return writing === undefined ? to.isOpen : writing.then(() => to.isOpen)
  }
  const writeEvent = (raw: string, message: Json | undefined, on = view.kind): boolean | Promise<boolean> =>
    (behaviour.rewrite?.(raw, message, on) ?? [raw]).map(write).at(-1) ?? true
  const close = (): void => {
    const ending = connection
    connection = undefined
    ending?.end()
  }
  const emit = (fields: EventFields, message: Json | undefined, note: unknown): boolean | Promise<boolean> =>
    enqueue(() => {
      count += 1
      const id = fields.id ?? behaviour.eventId?.(view, count)
      const whole = { ...fields, ...(id === undefined ? {} : { id }) }
      const raw = behaviour.format(whole)
      log?.event(whole, raw, note)
      if (id !== undefined) {
        lastEventId = id
        store?.append({
          id,
          stream: view.id,
          session: view.session,
          message,
          ...(message === undefined ? { fields } : {}),
        })
      }
      const written = writeEvent(raw, message)
      if (behaviour.closesAfter?.(view, count) === true) close()
      // With an id it waits for whoever comes back.
      return id !== undefined || written
    })
  return {
    view,
    attach(next) {
      connection = next
      log = next.log
      next.onClose(() => {
        // A stream that was continued has another connection by now.
        if (connection === next) close()
      })
    },
    prime() {
      const fields = behaviour.priming?.(view)
      if (fields === undefined) connection?.flush()
      else void emit(fields, undefined, undefined)
    },
    message: (message, note) => emit(behaviour.carry(message), message, note),
    event: (fields, note) => emit(fields, undefined, note),
    raw: bytes => enqueue(() => write(bytes)),
    replay(events) {
      void enqueue(async () => {
        connection?.flush()
        for (const { id, message, fields } of events) {
          const known = fields ?? (message === undefined ? { data: '' } : behaviour.carry(message))
          const writing = writeEvent(behaviour.format({ ...known, id }), message, 'get')
          if (writing instanceof Promise) await writing
        }
        if (finished) close()
      })
    },
    close: () => enqueue(close),
    cut() {
      const ending = connection
      connection = undefined
      ending?.destroy()
    },
    finish: () =>
      enqueue(() => {
        finished = true
        if (behaviour.leavesOpen?.() !== true) close()
      }),
    get isConnected() {
      return connection !== undefined
    },
    get isFinished() {
      return finished
    },
    get log() {
      return log
    },
    get lastEventId() {
      return lastEventId
    },
  }
}
