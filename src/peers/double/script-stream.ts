/** An event stream as scripts see it: with what the client did to come back for it. */
import type { Frame } from '../../wire/log.ts'
import { signal, within } from '../../wire/wait.ts'
import type { ServerStream } from '../server/event-stream.ts'
import type { EventStream } from './call.ts'

interface Resumption {
  lastEventId: string
  at: number
  frame: Frame
}

interface ScriptStream extends EventStream {
  /** The client has come back for it. */
  come(resumption: Resumption): void
}

const known = new WeakMap<ServerStream, ScriptStream>()

/** Always the same one for a stream. */
export function scriptStreamOf(stream: ServerStream): ScriptStream {
  const found = known.get(stream) ?? create(stream)
  known.set(stream, found)
  return found
}

function create(stream: ServerStream): ScriptStream {
  const resumptions: Resumption[] = []
  const comers = new Set<() => void>()
  return {
    event: async fields => stream.event(fields),
    raw: async bytes => stream.raw(bytes),
    close: async () => stream.close(),
    cut: () => stream.cut(),
    get connected() {
      return stream.isConnected
    },
    get lastEventId() {
      return stream.lastEventId
    },
    resumptions,
    come(resumption) {
      resumptions.push(resumption)
      for (const come of [...comers]) come()
    },
    async resumed(withinMs) {
      if (resumptions.length > 0) return true
      const come = signal<true>()
      const look = (): void => come.resolve(true)
      comers.add(look)
      const came = await within(come.promise, withinMs)
      comers.delete(look)
      return came === true
    },
  }
}
