/** What a process under test writes, line by line and with limits; each piece is logged as it comes. */
import { createLineReader } from '../wire/lines.ts'
import type { Frame, MessageFrame, NewFrame } from '../wire/log.ts'
import type { Running } from './process.ts'

/** A process that writes more than this in one conversation is flooding us. */
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024
/** Text on stderr is kept for the report, but not without limit. */
const MAX_STDERR_CHARS = 256 * 1024

type Piece<Kind extends NewFrame['kind']> = Omit<Extract<NewFrame, { kind: Kind }>, 'channel' | 'session'>

/** Adds a frame of this conversation to the log. */
export type AddFrame = <Kind extends NewFrame['kind']>(frame: Piece<Kind> & { kind: Kind }) => Frame

export interface OutputEvents {
  message(frame: MessageFrame): void
  /** An endless line: the only answer is to end the process, which would fill our memory next. */
  endlessLine(): void
  /** stdout has ended, and all that was in it has been read. */
  ended(): void
}

export function readOutput(running: Running, add: AddFrame, events: OutputEvents): void {
  const reader = createLineReader(line => {
    events.message(add({ kind: 'message', from: 'them', ...line }) as MessageFrame)
    if (line.flaw === 'too-long') events.endlessLine()
  })
  let received = 0
  let flooded = false
  running.stdout.on('data', (chunk: Buffer) => {
    received += chunk.length
    if (received <= MAX_OUTPUT_BYTES) reader.feed(chunk)
    else if (!flooded) {
      flooded = true
      add({ kind: 'end', why: 'failed', detail: `more than ${MAX_OUTPUT_BYTES} bytes on stdout; we ended it` })
      running.signal('SIGKILL')
    }
  })
  running.stdout.once('close', () => {
    reader.end()
    events.ended()
  })
}

export function readErrors(running: Running, add: AddFrame): void {
  let chars = 0
  running.stderr.on('data', (chunk: Buffer) => {
    if (chars > MAX_STDERR_CHARS) return
    const text = chunk.toString('utf8')
    chars += text.length
    add({ kind: 'stderr', text: text.slice(0, MAX_STDERR_CHARS) })
  })
}
