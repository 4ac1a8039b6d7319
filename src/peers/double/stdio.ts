/** The double behind stdin and stdout of a process that the client starts; the relay speaks for it (basic/transports#stdio). */
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FrameContext, WireLog } from '../../wire/log.ts'
import type { StdioBehaviour } from './behaviour.ts'
import type { DoubleCore } from './core.ts'
import { attend } from './stdio-launch.ts'

export interface StdioDouble {
  /** where the relay connects */
  readonly path: string
  readonly launches: number
  close(): Promise<void>
}

export async function serveStdioDouble(
  core: DoubleCore,
  stdio: StdioBehaviour,
  log: WireLog,
  base: FrameContext,
): Promise<StdioDouble> {
  const sockets = new Set<Socket>()
  let launches = 0
  let closing = false
  const server = createServer(socket => {
    launches += 1
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    const label = `${base.session}.${launches}`
    const context = { ...base, session: label, process: label }
    attend({ socket, core, stdio, log, context, isOurs: () => closing })
  })
  const folder = process.platform === 'win32' ? undefined : mkdtempSync(join(tmpdir(), 'mcp-conformance-'))
  const path = folder === undefined ? `\\\\.\\pipe\\mcp-conformance-${process.pid}-${serial()}` : join(folder, 'relay')
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, resolve)
  })
  return {
    path,
    get launches() {
      return launches
    },
    async close() {
      closing = true
      for (const socket of sockets) socket.destroy()
      await new Promise<void>(resolve => server.close(() => resolve()))
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
    },
  }
}

let pipes = 0
const serial = (): number => {
  pipes += 1
  return pipes
}
