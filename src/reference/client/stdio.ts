/** The link to a server that the client has started itself (basic/transports#stdio). */
import type { Outgoing } from '../outgoing.ts'
import type { Clock } from './clock.ts'
import type { Link, LinkContext, LinkEvents } from './link.ts'
import { readServer } from './server-output.ts'
import type { ServerProcess } from './server-process.ts'
import type { ShutdownStep } from './shutdown.ts'

export function createStdioLink(context: LinkContext, server: ServerProcess, events: LinkEvents): Link {
  const { policies, tamper, clock } = context
  let over = false
  let exited = false

  readServer(context, server, {
    line(text) {
      if (!over) events.receive(text)
    },
    down(why) {
      if (over) return
      over = true
      events.down(why)
    },
  })
  void server.exited.then(() => {
    exited = true
  })
  const write = (text: string, message: Extract<Outgoing, { layer: 'output' }>['message']): void => {
    for (const out of tamper({ layer: 'output', text, message })) {
      if (out.layer === 'output' && server.stdin.writable) server.stdin.write(policies.encode(out.text))
    }
  }
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
      await shutDown(server, policies.shutdown, () => exited, clock)
    },
    destroy() {
      over = true
      if (server.stdin.writable) server.stdin.end()
    },
  }
}

/** Takes one step after the other until the server has exited (basic/lifecycle#stdio). */
async function shutDown(
  { stdin, exited, kill }: ServerProcess,
  steps: readonly ShutdownStep[],
  hasExited: () => boolean,
  clock: Clock,
): Promise<void> {
  for (const { does, waitMs } of steps) {
    if (hasExited()) return
    if (does === 'close stdin') stdin.end()
    else if (does !== 'nothing') kill(does)
    await clock.within(exited, waitMs)
  }
}
