/**
 * The wire log: the only evidence. A frame is added before anybody interprets it, and nothing that
 * was received is repaired. Memory is bounded: every frame goes to the sink (a file, when the run
 * has one) at once, and the payload of old frames is dropped from memory beyond `RETAINED_BYTES`.
 */
import { clock } from './clock.ts'
import type { Json } from './json-rpc.ts'

export type HeaderList = [name: string, value: string][]

/** What is wrong with the bytes of a message before its JSON is looked at. */
export type Flaw =
  | 'not-utf8' // bytes that a fatal UTF-8 decoder refuses; kept as base64 in `bytes`
  | 'not-json'
  | 'too-long' // longer than the cap; `text` is only the beginning
  | 'unterminated' // the stream ended before the line did
  | 'too-deep' // JSON nested deeper than we read

/** The head of an HTTP request or answer. */
export interface HttpHead {
  kind: 'http'
  from: 'us' | 'them'
  start: string
  status?: number
  headers: HeaderList
}

type FrameBody =
  | {
      kind: 'message'
      from: 'us' | 'them'
      text: string
      /** base64 of the raw bytes, only where they are not valid UTF-8 */
      bytes?: string
      json?: Json
      flaw?: Flaw
      /** the id of the SSE event that carried it */
      eventId?: string
      /** stdio: the line ended in CR LF */
      crlf?: true
    }
  | HttpHead
  /** an HTTP body that does not claim to be a message: an HTML page, the text of an error */
  | { kind: 'body'; from: 'us' | 'them'; text: string; length: number }
  | {
      kind: 'sse'
      from: 'us' | 'them'
      id?: string
      event?: string
      retry?: string
      data?: string
      comment?: string
      raw: string
    }
  | { kind: 'silence'; awaiting: string; waitedMs: number }
  | { kind: 'stderr'; text: string }
  /** what ended: their output, their process, the connection; `asked`: we closed stdin or sent a signal */
  | {
      kind: 'end'
      why: 'closed' | 'exited' | 'killed' | 'failed' | 'asked'
      code?: number
      signal?: string
      detail?: string
    }

export interface FrameContext {
  /** auth: an exchange with another place than the MCP endpoint, such as an authorization server */
  channel: 'mcp' | 'auth'
  /** one of our peers: all streams of one session share it */
  session: string
  /** which start of the target, where we started it */
  process?: string
  /** one HTTP request with everything that answers it */
  exchange?: number
  /** the scenario in force on that peer */
  scenario?: string
  origin?: string
  /** a deliberate fault of ours: never judged, and never our bug */
  intended?: 'fault'
}

export type Frame = FrameContext & {
  seq: number
  /** milliseconds since the log began */
  at: number
} & FrameBody

export type NewFrame = FrameContext & FrameBody
export type MessageFrame = Extract<Frame, { kind: 'message' }>

export interface WireLog {
  add(frame: NewFrame): Frame
  /** Called for every frame, in order. Returns the function that ends the subscription. */
  subscribe(see: (frame: Frame) => void): () => void
  /** The frame, while its payload is still in memory. */
  get(seq: number): Frame | undefined
  readonly size: number
  /** milliseconds since the log began */
  now(): number
}

/** Payload kept in memory for evidence. 16 MiB hold any ordinary run many times over. */
const RETAINED_BYTES = 16 * 1024 * 1024

export function createLog(sink?: (frame: Frame) => void): WireLog {
  const { now: time } = clock()
  const began = time()
  // Frames and whoever asks for the time have one clock: in microseconds, so that what came later is never as early.
  const now = (): number => Math.round((time() - began) * 1_000) / 1_000
  const frames = new Map<number, Frame>()
  const subscribers = new Set<(frame: Frame) => void>()
  const sizes: { seq: number; bytes: number }[] = []
  let dropped = 0
  let retained = 0
  let seq = 0
  return {
    add(fresh) {
      seq += 1
      const frame = { seq, at: now(), ...fresh } as Frame
      frames.set(seq, frame)
      const bytes = payload(frame)
      sizes.push({ seq, bytes })
      retained += bytes
      while (retained > RETAINED_BYTES && dropped < sizes.length - 1) {
        const oldest = sizes[dropped]
        dropped += 1
        if (oldest === undefined) break
        retained -= oldest.bytes
        frames.delete(oldest.seq)
      }
      sink?.(frame)
      for (const see of subscribers) see(frame)
      return frame
    },
    subscribe(see) {
      subscribers.add(see)
      return () => subscribers.delete(see)
    },
    get: wanted => frames.get(wanted),
    get size() {
      return seq
    },
    now,
  }
}

/** Roughly what a frame costs: its text, once more for the parsed JSON, and the object itself. */
function payload(frame: Frame): number {
  const base = 200
  if (frame.kind === 'message') return base + frame.text.length * 3 + (frame.bytes?.length ?? 0)
  if (frame.kind === 'sse') return base + frame.raw.length * 2
  if (frame.kind === 'stderr' || frame.kind === 'body') return base + frame.text.length
  return base
}
