/** A server under test behind its stdin and stdout (basic/transports#stdio). */

import { parseJson } from '../wire/json-rpc.ts'
import { createLineReader } from '../wire/lines.ts'
import type { Frame, FrameContext, MessageFrame, WireLog } from '../wire/log.ts'
import { signal, within } from '../wire/wait.ts'
import type { Labels, Link, LinkEvents, ProcessControl } from './link.ts'
import { exitWithin, type Running, shutDown, sweep } from './process.ts'

/** A process may exit while its last output is still in the pipe: this long we read on. */
const DRAIN_MS = 200
/** A process that writes more than this in one conversation is flooding us. */
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024
/** Text on stderr is kept for the report, but not without limit. */
const MAX_STDERR_CHARS = 256 * 1024

export type StdioLink = Link & { process: ProcessControl }

export function openStdioLink(
  running: Running,
  log: WireLog,
  labels: Labels,
  events: LinkEvents,
  exitMs: number,
): StdioLink {
  const gone = signal<string>()
  const outputEnded = signal<undefined>()
  let ending: Frame | undefined
  let flooded = false
  const context = (): FrameContext => ({ channel: 'mcp', ...labels })

  /** What follows is our doing, not the server's own idea. */
  const asked = (detail: string): void => {
    if (ending === undefined) log.add({ ...context(), kind: 'end', why: 'asked', detail })
  }

  const reader = createLineReader(line => {
    const frame = log.add({ ...context(), kind: 'message', from: 'them', ...line }) as MessageFrame
    events.message(frame)
    // An endless line can only be answered by ending it: the process would fill our memory next.
    if (line.flaw === 'too-long') {
      asked('an endless line: the process was killed')
      running.signal('SIGKILL')
    }
  })
  let received = 0
  running.stdout.on('data', (chunk: Buffer) => {
    received += chunk.length
    if (received <= MAX_OUTPUT_BYTES) reader.feed(chunk)
    else if (!flooded) {
      flooded = true
      log.add({
        ...context(),
        kind: 'end',
        why: 'failed',
        detail: `more than ${MAX_OUTPUT_BYTES} bytes on stdout; we ended it`,
      })
      running.signal('SIGKILL')
    }
  })
  running.stdout.once('close', () => {
    reader.end()
    outputEnded.resolve(undefined)
    void reportClosed()
  })
  /** Output usually ends because the process does: then its exit is the better reason, a moment later. */
  const reportClosed = async (): Promise<void> => {
    if ((await exitWithin(running, DRAIN_MS)) !== undefined) return
    log.add({ ...context(), kind: 'end', why: 'closed' })
    gone.resolve('it closed its stdout')
  }
  let stderrChars = 0
  running.stderr.on('data', (chunk: Buffer) => {
    if (stderrChars > MAX_STDERR_CHARS) return
    const text = chunk.toString('utf8')
    stderrChars += text.length
    log.add({ ...context(), kind: 'stderr', text: text.slice(0, MAX_STDERR_CHARS) })
  })
  const ended = (async (): Promise<Frame> => {
    const exit = await running.exited
    await within(outputEnded.promise, DRAIN_MS)
    const why = exit.failed !== undefined ? 'failed' : exit.signal === undefined ? 'exited' : 'killed'
    ending = log.add({
      ...context(),
      kind: 'end',
      why,
      ...(exit.code === undefined ? {} : { code: exit.code }),
      ...(exit.signal === undefined ? {} : { signal: exit.signal }),
      ...(exit.failed === undefined ? {} : { detail: exit.failed }),
    })
    gone.resolve(
      exit.failed ??
        (exit.signal === undefined ? `it exited with code ${exit.code}` : `it was ended by ${exit.signal}`),
    )
    return ending
  })()

  return {
    via: 'stdio',
    labels,
    send(payload, options = {}) {
      const text = typeof payload === 'string' ? payload : Buffer.from(payload).toString('utf8')
      const json = parseJson(text)
      const frame = log.add({
        ...context(),
        kind: 'message',
        from: 'us',
        text,
        ...(json === undefined ? {} : { json }),
        ...(options.intended === undefined ? {} : { intended: options.intended }),
      })
      // A string is one message and gets its newline; bytes go out as they are.
      if (running.stdin.writable) running.stdin.write(typeof payload === 'string' ? `${payload}\n` : payload)
      return { frames: [frame], abort() {} }
    },
    gone: gone.promise,
    get isGone() {
      return gone.done
    },
    process: {
      closeStdin() {
        asked('stdin was closed')
        running.stdin.end()
      },
      signal(name) {
        asked(`${name} was sent`)
        running.signal(name)
      },
      exited: withinMs => within(ended, withinMs),
      get exit() {
        return running.exit
      },
    },
    interrupt() {
      asked('the run was interrupted')
      running.signal('SIGKILL')
    },
    async close() {
      asked('stdin was closed')
      await shutDown(running, exitMs)
      await within(ended, DRAIN_MS * 2)
      sweep(running)
      // `close` of the pipes is still to come, and the log wants it.
      await within(outputEnded.promise, DRAIN_MS)
    },
  }
}
