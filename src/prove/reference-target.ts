/**
 * The reference as a target in this very process, over real pipes or a real loopback socket: quick
 * to start, and a fault is put into it by a tamper or a replaced policy.
 */
import { existsSync } from 'node:fs'
import { PassThrough } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { type Exit, launchCommand, type Running } from '../peers/process.ts'
import type { Access } from '../peers/session-factory.ts'
import { changed } from '../reference/changes.ts'
import { untampered } from '../reference/outgoing.ts'
import { type ServerOptions, serveEndpointOf, serveLines } from '../reference/servers.ts'
import type { Via } from '../spec/catalogue.ts'
import { factsAbout, type Revision } from '../spec/revision.ts'
import type { ServerFault } from '../suite/defects.ts'
import { signal } from '../wire/wait.ts'

export interface ReferenceTarget {
  access: Access
  close(): Promise<void>
}

export async function referenceTarget(via: Via, revision: Revision, fault?: ServerFault): Promise<ReferenceTarget> {
  if (fault !== undefined && 'program' in fault) return programTarget(fault.program)
  const tamper = fault !== undefined && 'tamper' in fault ? fault.tamper : untampered
  const policies = changed(fault !== undefined && 'replace' in fault ? fault.replace : {})
  const options: ServerOptions = { family: factsAbout(revision).family, policies, tamper }
  if (via === 'stdio') {
    return { access: { via: 'stdio', launch: () => runInside(options) }, close: async () => {} }
  }
  const server = await serveEndpointOf(options)
  // Another loopback address stands for another interface: bound to one address, the server is not at the other.
  return {
    access: { via: 'http', url: server.url, headers: [], elsewhere: ['127.0.0.2'] },
    close: () => server.close(),
  }
}

/** Faulty programs are real processes, from the built tree: exits, signals and forks have no stand-in. */
function programTarget(name: string): ReferenceTarget {
  const built = fileURLToPath(new URL(import.meta.url.includes('/dist/') ? '../' : '../../dist/src/', import.meta.url))
  const path = `${built}reference/faulty/${name}.js`
  if (!existsSync(path)) throw new Error(`there is no ${path}; run npm run build`)
  return { access: { via: 'stdio', launch: () => launchCommand([process.execPath, path]) }, close: async () => {} }
}

function runInside(options: ServerOptions): Running {
  const { policies } = options
  const stdin = new PassThrough()
  const stdout = new PassThrough()
  const stderr = new PassThrough()
  const exited = signal<Exit>()
  let exit: Exit | undefined
  const leave = (value: Exit): void => {
    if (exit !== undefined) return
    exit = value
    stdout.end()
    stderr.end()
    exited.resolve(value)
  }
  const server = serveLines(options, text => {
    if (exit === undefined) stdout.write(text)
  })
  stdin.on('data', (chunk: Buffer) => {
    if (exit === undefined) server.feed(chunk)
  })
  stdin.once('end', () => {
    void server.end().then(() => {
      if (policies.onEof === 'exit') leave({ code: 0 })
    })
  })
  return {
    stdin,
    stdout,
    stderr,
    exited: exited.promise,
    get exit() {
      return exit
    },
    signal(name) {
      if (name === 'SIGKILL' || policies.onTerminate === 'exit') leave({ signal: name })
    },
  }
}
