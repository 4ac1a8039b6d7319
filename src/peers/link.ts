/** One way to a server under test: a pair of pipes, or an HTTP endpoint. Logs everything first. */
import type { Via } from '../spec/catalogue.ts'
import type { RequestId } from '../wire/json-rpc.ts'
import type { Frame, HeaderList, MessageFrame } from '../wire/log.ts'
import type { Exit } from './process.ts'
import type { HttpReply } from './reply.ts'

/** Changes to the usual header fields of a request; `null` leaves a field out, a list repeats it. */
export type HeaderEdits = Record<string, string | null | string[]>

export interface SendOptions {
  intended?: 'fault'
  headers?: HeaderEdits
  /** the request whose answer ends our interest in an event stream */
  answers?: RequestId
}

export interface Sent {
  /** what belongs to this sending so far, our own frame first */
  readonly frames: Frame[]
  /** HTTP: resolves when the exchange is over */
  readonly over?: Promise<HttpReply>
  readonly http?: HttpReply
  abort(): void
}

/** Labels of the frames; the engine changes `scenario` while a shared session goes from one to the next. */
export interface Labels {
  session: string
  process?: string
  scenario?: string
}

export interface Link {
  readonly via: Via
  readonly labels: Labels
  send(payload: string | Uint8Array, options?: SendOptions): Sent
  /** Resolves when nothing can come any more: process gone or output closed; never for HTTP. */
  readonly gone: Promise<string>
  readonly isGone: boolean
  close(): Promise<void>
  /** Ends everything at once: the run was interrupted. */
  interrupt(): void
}

export interface LinkEvents {
  message(frame: MessageFrame): void
}

/** What only a process under test has. */
export interface ProcessControl {
  closeStdin(): void
  signal(signal: NodeJS.Signals): void
  /** The `end` frame of the process, or undefined when it lives longer than that. */
  exited(withinMs: number): Promise<Frame | undefined>
  readonly exit: Exit | undefined
}

export const withEdits = (usual: HeaderList, edits: HeaderEdits = {}): HeaderList => {
  const named = new Set(Object.keys(edits).map(name => name.toLowerCase()))
  const kept = usual.filter(([name]) => !named.has(name.toLowerCase()))
  const added = Object.entries(edits).flatMap(
    ([name, value]): HeaderList =>
      value === null ? [] : Array.isArray(value) ? value.map(one => [name, one]) : [[name, value]],
  )
  return [...kept, ...added]
}
