/** A server that the client starts itself, as the stdio transport has it (basic/transports#stdio). */
import type { Readable, Writable } from 'node:stream'

export interface ServerProcess {
  stdin: Writable
  stdout: Readable
  stderr: Readable
  exited: Promise<void>
  kill(signal: 'SIGTERM' | 'SIGKILL'): void
}
