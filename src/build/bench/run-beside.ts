/** Another tool, by its command line, on the same machine: its time, and where the target is a server of ours to start, the rest. */
import { spawn } from 'node:child_process'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgsStringToArgv } from 'string-argv'
import { startRelay } from './counting-relay.ts'
import { usedBy, usedByChildren } from './processor-time.ts'
import { runToEnd } from './run-tool.ts'

export interface BesideCost {
  wallMs: number
  ownMs: number
  targetMs: number
  requests: number
}

/** The server that both tools are run against, where it is reached by a URL. */
export interface BesideServer {
  url: string
  start: string
  env: Record<string, string>
}

const START_MS = 20_000

export async function runBeside(
  command: string,
  server: BesideServer | undefined,
  folder: string,
): Promise<BesideCost> {
  if (server === undefined) return { ...(await timed(command, folder)), targetMs: 0, requests: 0 }
  const [file = '', ...args] = parseArgsStringToArgv(server.start)
  const target = spawn(file, args, { cwd: folder, stdio: 'ignore', env: { ...process.env, ...server.env } })
  const until = performance.now() + START_MS
  const port = Number(new URL(server.url).port)
  while (!(await isListening(port)) && performance.now() < until) await sleep(25)
  const relay = await startRelay(port)
  const relayed = Object.assign(new URL(server.url), { port: String(relay.port) }).href
  try {
    const own = await timed(command.replaceAll(server.url, relayed), folder)
    return { ...own, targetMs: usedBy(target.pid ?? 0), requests: relay.requests }
  } finally {
    relay.close()
    target.kill()
    await new Promise(resolve => target.once('close', resolve))
  }
}

async function timed(command: string, folder: string): Promise<{ wallMs: number; ownMs: number }> {
  const before = usedByChildren()
  const wallMs = await runToEnd('/bin/sh', ['-c', command], folder)
  return { wallMs, ownMs: usedByChildren() - before }
}

const isListening = (port: number): Promise<boolean> =>
  new Promise(resolve => {
    const socket = connect({ host: '127.0.0.1', port })
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
