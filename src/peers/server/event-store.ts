/** Remembers the events of every stream so that a broken one can be continued (basic/transports#resumability-and-redelivery). */
import type { Json } from '../../wire/json-rpc.ts'
import type { EventFields } from '../../wire/sse-writer.ts'

export interface StoredEvent {
  id: string
  stream: string
  session: string
  message: Json | undefined
  /** what the event is made of, where that is not the message alone */
  fields?: EventFields
}

export interface EventStore {
  append(event: StoredEvent): void
  /** The events of the same stream behind `lastEventId`; undefined when that id is not of this session. */
  after(lastEventId: string, session: string): { stream: string; events: StoredEvent[] } | undefined
}

/** Events beyond this are forgotten, oldest first. */
const KEPT_EVENTS = 10_000

export function createEventStore(): EventStore {
  let stored: StoredEvent[] = []
  return {
    append(event) {
      stored.push(event)
      if (stored.length > KEPT_EVENTS) stored = stored.slice(-KEPT_EVENTS / 2)
    },
    after(lastEventId, session) {
      const at = stored.findIndex(event => event.id === lastEventId && event.session === session)
      const found = stored[at]
      if (found === undefined) return undefined
      const events = stored.slice(at + 1).filter(event => event.stream === found.stream)
      return { stream: found.stream, events }
    },
  }
}
