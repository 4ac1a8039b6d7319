/** A server under test behind its stdin and stdout (basic/transports#stdio). */
import { parseJson } from '../wire/json-rpc.ts'
import type { Frame, WireLog } from '../wire/log.ts'
import { type Signal, signal, within } from '../wire/wait.ts'
import type { Labels, Link, LinkEvents, ProcessControl, SendOptions, Sent } from './link.ts'
import { type Exit, exitWithin, type Running, shutDown, sweep } from './process.ts'
import { type AddFrame, readErrors, readOutput } from './process-output.ts'

/** A process may exit while its last output is still in the pipe: this long we read on. */
const DRAIN_MS = 200

export type StdioLink = Link & { process: ProcessControl }

export function openStdioLink(
  running: Running,
  log: WireLog,
  labels: Labels,
  events: LinkEvents,
  exitMs: number,
): StdioLink {
  const add = ((frame: object) =>
    log.add({ channel: 'mcp', ...labels, ...frame } as Parameters<WireLog['add']>[0])) as AddFrame
  const gone = signal<string>()
  const outputEnded = signal<undefined>()
  const end = followEnd(running, add, gone, outputEnded)
  readOutput(running, add, {
    message: frame => events.message(frame),
    endlessLine() {
      end.asked('an endless line: the process was killed')
      running.signal('SIGKILL')
    },
    ended() {
      outputEnded.resolve(undefined)
      void end.outputClosed()
    },
  })
  readErrors(running, add)
  return {
    via: 'stdio',
    labels,
    send: (payload, options = {}) => write(running, add, payload, options),
    gone: gone.promise,
    get isGone() {
      return gone.done
    },
    process: controlOf(running, end),
    interrupt() {
      end.asked('the run was interrupted')
      running.signal('SIGKILL')
    },
    async close() {
      end.asked('stdin was closed')
      await shutDown(running, exitMs)
      await within(end.ended, DRAIN_MS * 2)
      sweep(running)
      // `close` of the pipes is still to come, and the log wants it.
      await within(outputEnded.promise, DRAIN_MS)
    },
  }
}

function write(running: Running, add: AddFrame, payload: string | Uint8Array, { intended }: SendOptions): Sent {
  const text = typeof payload === 'string' ? payload : Buffer.from(payload).toString('utf8')
  const json = parseJson(text)
  const frame = add({
    kind: 'message',
    from: 'us',
    text,
    ...(json === undefined ? {} : { json }),
    ...(intended === undefined ? {} : { intended }),
  })
  // A string is one message and gets its newline; bytes go out as they are.
  if (running.stdin.writable) running.stdin.write(typeof payload === 'string' ? `${payload}\n` : payload)
  return { frames: [frame], abort() {} }
}

const controlOf = (running: Running, end: Ending): ProcessControl => ({
  closeStdin() {
    end.asked('stdin was closed')
    running.stdin.end()
  },
  signal(name) {
    end.asked(`${name} was sent`)
    running.signal(name)
  },
  exited: withinMs => within(end.ended, withinMs),
  get exit() {
    return running.exit
  },
})

/** How the process comes to its end, and by whose doing. */
interface Ending {
  /** What follows is our doing, not the server's own idea. */
  asked(detail: string): void
  /** Output usually ends because the process does: then its exit is the better reason, a moment later. */
  outputClosed(): Promise<void>
  /** the `end` frame of the process */
  readonly ended: Promise<Frame>
}

function followEnd(running: Running, add: AddFrame, gone: Signal<string>, outputEnded: Signal<undefined>): Ending {
  let over = false
  const ended = (async (): Promise<Frame> => {
    const exit = await running.exited
    await within(outputEnded.promise, DRAIN_MS)
    const frame = add({ kind: 'end', ...endOf(exit) })
    over = true
    gone.resolve(goneBecause(exit))
    return frame
  })()
  return {
    asked(detail) {
      if (!over) add({ kind: 'end', why: 'asked', detail })
    },
    async outputClosed() {
      if ((await exitWithin(running, DRAIN_MS)) !== undefined) return
      add({ kind: 'end', why: 'closed' })
      gone.resolve('it closed its stdout')
    },
    ended,
  }
}

const endOf = (
  exit: Exit,
): { why: 'failed' | 'exited' | 'killed'; code?: number; signal?: string; detail?: string } => ({
  why: exit.failed !== undefined ? 'failed' : exit.signal === undefined ? 'exited' : 'killed',
  ...(exit.code === undefined ? {} : { code: exit.code }),
  ...(exit.signal === undefined ? {} : { signal: exit.signal }),
  ...(exit.failed === undefined ? {} : { detail: exit.failed }),
})

const goneBecause = (exit: Exit): string =>
  exit.failed ?? (exit.signal === undefined ? `it exited with code ${exit.code}` : `it was ended by ${exit.signal}`)
