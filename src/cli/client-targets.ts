/** From the options to a client under test: how it is started for each script, over each transport. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgsStringToArgv } from 'string-argv'

import { type ClientTimeouts, DEFAULT_CLIENT_TIMEOUTS } from '../engine/client/run-script.ts'
import type { ClientAccess, GivenToClient } from '../peers/client-access.ts'
import { launchCommand, type Running } from '../peers/process.ts'
import type { Argv, LaunchOptions } from '../peers/target.ts'
import type { Via } from '../spec/catalogue.ts'
import { hasTransport, type Revision } from '../spec/revision.ts'
import type { HeaderList } from '../wire/log.ts'
import type { RunFlags } from './flags.ts'
import { launchFlags, launchOptionsOf, quote } from './targets.ts'
import { UsageError, wholeNumber } from './usage.ts'

export interface PreparedClient {
  at: string
  access: ClientAccess
  reproduce: string
  /** the transport was not asked for: a client that does not come over it is no fault */
  optional: boolean
}

const relayProgram = fileURLToPath(new URL('../../../bin/stdio-relay.js', import.meta.url))

export function clientTimeoutsOf(timeout: string | undefined): ClientTimeouts {
  if (timeout === undefined) return DEFAULT_CLIENT_TIMEOUTS
  const clientMs = wholeNumber('--timeout', timeout, 1)
  return {
    ...DEFAULT_CLIENT_TIMEOUTS,
    clientMs,
    replyMs: Math.min(clientMs, DEFAULT_CLIENT_TIMEOUTS.replyMs),
    exitMs: Math.min(clientMs, DEFAULT_CLIENT_TIMEOUTS.exitMs),
  }
}

export function prepareClients(flags: RunFlags, environment: HeaderList, revision: Revision): PreparedClient[] {
  const command = flags.client ?? ''
  const words = parseArgsStringToArgv(command)
  if (words.length === 0) throw new UsageError('--client is empty; give the command line that starts the client.')
  for (const [flag, value] of [
    ['--server', flags.server],
    ['--start', flags.start],
  ] as const) {
    if (value !== undefined) throw new UsageError(`${flag} is about a server; test a server and a client in two runs.`)
  }
  if (flags.header.length > 0)
    throw new UsageError('--header is about a server: the client under test makes its own requests.')
  const launchOptions = launchOptionsOf(flags, environment)
  const vias = viasOf(flags.transport, words).filter(via => hasTransport(revision, via))
  if (vias.length === 0) {
    throw new UsageError(
      `--spec ${revision} over HTTP is the transport HTTP+SSE, which cannot be tested yet; it can be tested over stdio.`,
    )
  }
  return vias.map(via => ({
    at: command,
    access: { via, launch: given => launchClient(words, given, launchOptions) },
    reproduce: `mcp-conformance --client ${quote(command)} --transport ${via}${launchFlags(flags)}`,
    optional: vias.length > 1,
  }))
}

function viasOf(transport: string | undefined, words: Argv): Via[] {
  const has = (placeholder: string): boolean => words.some(word => word.includes(placeholder))
  if (transport !== undefined && transport !== 'http' && transport !== 'stdio')
    throw new UsageError(`--transport ${transport} is unknown; there are http and stdio.`)
  if (transport === 'http' && has('{server}'))
    throw new UsageError('{server} stands for a command line over stdio; over HTTP it is {url}.')
  if (transport === 'stdio' && has('{url}'))
    throw new UsageError('{url} stands for an HTTP endpoint; over stdio it is {server}.')
  if (transport !== undefined) return [transport]
  if (has('{server}')) return ['stdio']
  return has('{url}') ? ['http'] : ['http', 'stdio']
}

function launchClient(words: Argv, given: GivenToClient, launchOptions: LaunchOptions): Running {
  const { url, path } = given
  const server = path === undefined ? undefined : [process.execPath, relayProgram, path]
  const config = words.some(word => word.includes('{config}')) ? writeConfig(url, server) : undefined
  const filled = words.flatMap(word => fill(word, { url, server, config: config?.file }))
  const placed = words.some(word => word.includes('{url}') || word.includes('{config}'))
  const running = launchCommand(url === undefined || placed ? filled : [...filled, url], {
    ...launchOptions,
    env: {
      ...launchOptions.env,
      ...given.env,
      ...(server === undefined ? {} : { MCP_CONFORMANCE_SERVER_COMMAND: JSON.stringify(server) }),
    },
  })
  if (config !== undefined) void running.exited.then(() => rmSync(config.folder, { recursive: true, force: true }))
  return running
}

interface Filling {
  url: string | undefined
  server: Argv | undefined
  config: string | undefined
}

/** A word that is the placeholder becomes all words of the command; inside a longer word they are quoted. */
function fill(word: string, { url, server, config }: Filling): string[] {
  if (word === '{server}' && server !== undefined) return [...server]
  return [
    word
      .replaceAll('{url}', url ?? '{url}')
      .replaceAll('{config}', config ?? '{config}')
      .replaceAll('{server}', server?.map(quote).join(' ') ?? '{server}'),
  ]
}

/** An mcp.json as hosts read it, with our server in it. */
function writeConfig(url: string | undefined, server: Argv | undefined): { folder: string; file: string } {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-conformance-'))
  const file = join(folder, 'mcp.json')
  const [command, ...args] = server ?? []
  const entry = url === undefined ? { type: 'stdio', command, args } : { type: 'http', url }
  writeFileSync(file, JSON.stringify({ mcpServers: { conformance: entry } }, null, 2))
  return { folder, file }
}
