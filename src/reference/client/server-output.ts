/** Reads what the server writes, until it ends (basic/transports#stdio). */
import type { LinkContext } from './link.ts'
import type { ServerProcess } from './server-process.ts'

/** After the exit what was still in the pipes is read. */
const DRAIN_MS = 100

export interface OutputEvents {
  line(text: string): void
  /** Nothing comes any more. */
  down(why: string): void
}

export function readServer(
  { policies, clock, crash }: Pick<LinkContext, 'policies' | 'clock' | 'crash'>,
  { stdin, stdout, stderr, exited }: ServerProcess,
  events: OutputEvents,
): void {
  const guarded = (act: () => void): void => {
    try {
      act()
    } catch (problem) {
      crash(problem)
    }
  }
  const ended = (why: string): void =>
    guarded(() => {
      if (policies.noticesEnd()) events.down(why)
    })
  const reader = policies.reader(text => {
    // A blank line holds no message.
    if (text.trim() !== '') events.line(text)
  })
  stdout.on('data', (chunk: Uint8Array) => guarded(() => reader.feed(chunk)))
  stdout.once('end', () => {
    guarded(() => reader.end())
    ended('the server closed its output')
  })
  // A full pipe would stop the server.
  stderr.on('data', (chunk: Uint8Array) =>
    guarded(() => {
      if (policies.failsOnStderr(Buffer.from(chunk).toString('utf8'))) events.down('the server wrote to stderr')
    }),
  )
  for (const stream of [stdin, stdout, stderr]) stream.on('error', () => {})
  void exited.then(() => clock.after(DRAIN_MS, () => ended('the server has ended')))
}
