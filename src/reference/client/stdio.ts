/** A server that the client starts itself (basic/transports#stdio). */
import type { Readable, Writable } from 'node:stream'
import type { Outgoing } from '../outgoing.ts'
import type { Link, LinkContext, LinkEvents } from './link.ts'

export interface ServerProcess {
  stdin: Writable
  stdout: Readable
  stderr: Readable
  exited: Promise<void>
  kill(signal: 'SIGTERM' | 'SIGKILL'): void
}

/** After the exit what was still in the pipes is read. */
const DRAIN_MS = 100

export function createStdioLink(context: LinkContext, server: ServerProcess, events: LinkEvents): Link {
  const { policies, tamper, clock } = context
  let over = false
  let exited = false

  const down = (why: string): void => {
    if (over) return
    over = true
    events.down(why)
  }
  const guarded = (act: () => void): void => {
    try {
      act()
    } catch (problem) {
      context.crash(problem)
    }
  }
  const write = (text: string, message: Extract<Outgoing, { layer: 'output' }>['message']): void => {
    for (const out of tamper({ layer: 'output', text, message })) {
      if (out.layer === 'output' && server.stdin.writable) server.stdin.write(policies.encode(out.text))
    }
  }
  const reader = policies.reader(text => {
    // A blank line holds no message.
    if (!over && text.trim() !== '') events.receive(text)
  })
  server.stdout.on('data', (chunk: Uint8Array) => guarded(() => reader.feed(chunk)))
  const ended = (why: string): void =>
    guarded(() => {
      if (policies.noticesEnd()) down(why)
    })
  server.stdout.once('end', () => {
    guarded(() => reader.end())
    ended('the server closed its output')
  })
  // A full pipe would stop the server.
  server.stderr.on('data', (chunk: Uint8Array) =>
    guarded(() => {
      if (policies.failsOnStderr(Buffer.from(chunk).toString('utf8'))) down('the server wrote to stderr')
    }),
  )
  for (const stream of [server.stdin, server.stdout, server.stderr]) stream.on('error', () => {})
  void server.exited.then(() => {
    exited = true
    clock.after(DRAIN_MS, () => ended('the server has ended'))
  })
  if (policies.banner !== '') write(policies.banner, undefined)

  return {
    sessionId: undefined,
    async send(message, cause) {
      for (const out of tamper({ layer: 'message', message, cause, on: 'stdio' })) {
        if (out.layer === 'message') write(policies.frame(JSON.stringify(out.message)), out.message)
      }
    },
    agreed: () => {},
    listen: () => {},
    async close() {
      over = true
      if (policies.farewell !== '') write(policies.farewell, undefined)
      for (const { does, waitMs } of policies.shutdown) {
        if (exited) break
        if (does === 'close stdin') server.stdin.end()
        else if (does !== 'nothing') server.kill(does)
        await clock.within(server.exited, waitMs)
      }
    },
    destroy() {
      over = true
      if (server.stdin.writable) server.stdin.end()
    },
  }
}
