/** From the options to what is put under test: a command, a URL, a URL with its command, or our own reference. */
import { existsSync, statSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgsStringToArgv } from 'string-argv'
import { createLaunchedServer } from '../peers/launched-server.ts'
import { launchCommand } from '../peers/process.ts'
import type { Access } from '../peers/session-factory.ts'
import type { LaunchOptions, Timeouts } from '../peers/target.ts'
import { untampered } from '../reference/outgoing.ts'
import { defaultPolicies } from '../reference/policies.ts'
import { serveEndpointOf } from '../reference/servers.ts'
import { factsAbout, hasTransport, type Revision } from '../spec/revision.ts'
import type { HeaderList } from '../wire/log.ts'
import { type RunFlags, revisionOf } from './flags.ts'
import { UsageError } from './usage.ts'

/** What one target of the run needs; the demonstration has two. */
export interface Prepared {
  at: string
  access: Access
  reproduce: string
  close(): Promise<void>
}

export async function prepare(
  flags: RunFlags,
  headers: HeaderList,
  environment: HeaderList,
  timeouts: Timeouts,
): Promise<Prepared[]> {
  const revision = revisionOf(flags.spec)
  if (flags.server === undefined) {
    for (const [flag, value] of [
      ['--start', flags.start],
      ['--cwd', flags.cwd],
    ] as const) {
      if (value !== undefined) throw new UsageError(`${flag} says how to launch a server, but no --server is given.`)
    }
    return demonstration(revision)
  }
  const launchOptions = launchOptionsOf(flags, environment)
  const isUrl = /^https?:\/\//i.test(flags.server)
  const base = `mcp-conformance --server ${quote(flags.server)}`
  if (!isUrl) {
    const words = parseArgsStringToArgv(flags.server)
    if (words.length === 0) throw new UsageError('--server is empty; give a command line or a URL.')
    if (flags.start !== undefined)
      throw new UsageError('--start goes with a URL; over stdio --server already is the command.')
    if (headers.length > 0) throw new UsageError('--header goes with a URL; over stdio there are no HTTP headers.')
    return [
      {
        at: flags.server,
        access: { via: 'stdio', launch: () => launchCommand(words, launchOptions) },
        reproduce: base + launchFlags(flags),
        close: async () => {},
      },
    ]
  }
  if (!hasTransport(revision, 'http')) {
    throw new UsageError(
      `--spec ${revision} over HTTP is the transport HTTP+SSE, which cannot be tested yet; it can be tested over stdio.`,
    )
  }
  const url = urlOf(flags.server)
  if (flags.start === undefined) {
    return [{ at: url, access: { via: 'http', url, headers }, reproduce: base, close: async () => {} }]
  }
  const launched = createLaunchedServer(url, parseArgsStringToArgv(flags.start), launchOptions, timeouts.handshakeMs)
  return [
    {
      at: url,
      access: { via: 'http', url, headers, ready: () => launched.ready(), elsewhere: otherAddresses() },
      reproduce: `${base} --start ${quote(flags.start)}${launchFlags(flags)}`,
      close: () => launched.close(),
    },
  ]
}

/** Without a target: the reference server, once as a process and once over HTTP. */
async function demonstration(revision: Revision): Promise<Prepared[]> {
  const program = fileURLToPath(new URL('../reference/main.js', import.meta.url))
  const launched: Prepared = {
    at: 'the built-in reference server',
    access: { via: 'stdio', launch: () => launchCommand([process.execPath, program, 'stdio', revision]) },
    reproduce: 'mcp-conformance',
    close: async () => {},
  }
  if (!hasTransport(revision, 'http')) return [launched]
  const { family } = factsAbout(revision)
  const http = await serveEndpointOf({ family, policies: defaultPolicies(), tamper: untampered })
  return [
    launched,
    {
      at: 'the built-in reference server',
      access: { via: 'http', url: http.url, headers: [], ready: async () => {} },
      reproduce: 'mcp-conformance',
      close: () => http.close(),
    },
  ]
}

/** IPv4 addresses of this host that others can reach. */
const otherAddresses = (): string[] =>
  Object.values(networkInterfaces()).flatMap(addresses =>
    (addresses ?? []).filter(one => !one.internal && one.family === 'IPv4').map(one => one.address),
  )

function urlOf(text: string): string {
  try {
    return new URL(text).href
  } catch {
    throw new UsageError(`--server ${text} is no valid URL.`)
  }
}

export function launchOptionsOf(flags: RunFlags, environment: HeaderList): LaunchOptions {
  if (flags.cwd !== undefined && !(existsSync(flags.cwd) && statSync(flags.cwd).isDirectory())) {
    throw new UsageError(`--cwd ${flags.cwd} is no directory.`)
  }
  return { env: Object.fromEntries(environment), ...(flags.cwd === undefined ? {} : { cwd: flags.cwd }) }
}

export const launchFlags = (flags: RunFlags): string =>
  [
    ...flags.env.map(text => ` --env ${quote(text)}`),
    ...(flags.cwd === undefined ? [] : [` --cwd ${quote(flags.cwd)}`]),
  ].join('')

export const quote = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `"${text.replace(/["\\$`]/g, '\\$&')}"`
