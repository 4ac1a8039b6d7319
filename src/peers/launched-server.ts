/** `--start`: launches a server for its URL, waits until the port answers, and starts it anew when it died. */
import { connect } from 'node:net'
import { clock } from '../wire/clock.ts'
import { sleep } from '../wire/wait.ts'
import { exitWithin, launchCommand, type Running, shutDown, sweep } from './process.ts'
import type { Argv, LaunchOptions } from './target.ts'

export interface LaunchedServer {
  /** Resolves when the port accepts connections; throws NotReady. */
  ready(): Promise<void>
  /** What the process wrote lately, for the message when it fails. */
  readonly output: string
  close(): Promise<void>
}

export class NotReady extends Error {
  override name = 'NotReady'
}

const POLL_MS = 25
const KEPT_CHARS = 4_000
const EXIT_MS = 1_000

export function createLaunchedServer(url: string, argv: Argv, launch: LaunchOptions, withinMs: number): LaunchedServer {
  let running: Running | undefined
  let output = ''
  let starting: Promise<void> | undefined

  const start = async (): Promise<void> => {
    if (running !== undefined) sweep(running)
    else if (await accepts(url)) {
      throw new NotReady(
        `something already listens at ${url}; free the port, or leave --start out to test what runs there`,
      )
    }
    const current = launchCommand(argv, launch)
    running = current
    for (const stream of [current.stdout, current.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        output = (output + chunk.toString('utf8')).slice(-KEPT_CHARS)
      })
    }
    const until = clock().now() + withinMs
    while (!(await accepts(url))) {
      const exit = current.exit
      if (exit !== undefined) {
        throw new NotReady(
          exit.failed ??
            `the started command ended (${exit.signal ?? `code ${exit.code}`}) before ${url} accepted a connection`,
        )
      }
      if (clock().now() > until) throw new NotReady(`${url} accepted no connection within ${withinMs} ms of the start`)
      await Promise.race([sleep(POLL_MS), exitWithin(current, POLL_MS)])
    }
  }
  return {
    async ready() {
      if (running !== undefined && running.exit === undefined && starting === undefined) return
      starting ??= start().finally(() => {
        starting = undefined
      })
      await starting
    },
    get output() {
      return output
    },
    async close() {
      if (running === undefined) return
      // A server over HTTP does not watch its stdin: it is asked by signal at once.
      running.signal('SIGTERM')
      await shutDown(running, EXIT_MS)
      sweep(running)
    },
  }
}

/** True when a TCP connection to the URL's port is accepted, at its host or at another address. */
export function accepts(url: string, address?: string): Promise<boolean> {
  const { hostname, port, protocol } = new URL(url)
  return new Promise(resolve => {
    const socket = connect({
      host: address ?? hostname.replace(/^\[|\]$/g, ''),
      port: Number(port || (protocol === 'https:' ? 443 : 80)),
      timeout: 2_000,
    })
    const done = (answer: boolean): void => {
      socket.destroy()
      resolve(answer)
    }
    socket.once('connect', () => done(true))
    socket.once('error', () => done(false))
    socket.once('timeout', () => done(false))
  })
}
