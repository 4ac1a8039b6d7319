/** `mcp-conformance run`: options in, reports out. */
import { existsSync, statSync } from 'node:fs'
import { cpus } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgsStringToArgv } from 'string-argv'
import { listSuites } from '../engine/discover.ts'
import type { RunOutcome } from '../engine/result.ts'
import { runTarget } from '../engine/run.ts'
import type { RunOptions } from '../engine/scenario.ts'
import { type Selection, suiteNames, unmatched } from '../engine/select.ts'
import type { Access } from '../peers/opener.ts'
import { killAllGroups, launchCommand } from '../peers/process.ts'
import { createStation } from '../peers/station.ts'
import { DEFAULT_PATIENCE, type Patience, type Surroundings } from '../peers/target.ts'
import { untampered } from '../reference/outgoing.ts'
import { defaultPolicies } from '../reference/policies.ts'
import { serveHttp } from '../reference/server/http.ts'
import { renderConsole } from '../report/console.ts'
import { createProgress } from '../report/progress.ts'
import { createReport, masked, type Strict } from '../report/report.ts'
import {
  createLogFile,
  DEFAULT_FILES,
  FORMATS,
  type Format,
  logPath,
  type ReportFile,
  writeReports,
} from '../report/write.ts'
import { loadCatalogue } from '../spec/catalogue.ts'
import { isRevision, MAIN_REVISION, type Revision, STATEFUL } from '../spec/revision.ts'
import { createLog, type HeaderList } from '../wire/log.ts'
import { createMask, secretsOf } from '../wire/mask.ts'
import { EXIT, packageVersion } from './package.ts'
import { keyValue, UsageError, wholeNumber } from './usage.ts'

export interface RunFlags {
  server?: string
  start?: string
  header: string[]
  env: string[]
  cwd?: string
  spec?: string
  suite: string[]
  scenario: string[]
  requirement: string[]
  timeout?: string
  jobs?: string
  seed: string
  bail?: boolean
  strict?: string | boolean
  report: string[]
  quiet?: boolean
}

/** What one target of the run needs; the demonstration has two. */
interface Prepared {
  at: string
  access: Access
  reproduce: string
  close(): Promise<void>
}

export async function runCommand(flags: RunFlags): Promise<number> {
  const startedAt = new Date()
  const began = performance.now()
  const revision = revisionOf(flags.spec)
  const patience = patienceOf(flags.timeout)
  const jobs = flags.jobs === undefined ? Math.min(4, Math.max(1, cpus().length)) : wholeNumber('--jobs', flags.jobs, 1)
  const seed = wholeNumber('--seed', flags.seed, 0)
  const strict = strictOf(flags.strict)
  const { files, console: onConsole } = reportsOf(flags)
  const heads = await listSuites()
  const selection = selectionOf(flags, heads)
  const headers = flags.header.map(text => keyValue('--header', text, ':'))
  const environment = flags.env.map(text => keyValue('--env', text, '='))
  const targets = await prepare(flags, headers, environment, patience)

  const secrets = secretsOf(process.env, [
    ...headers.map(([, value]) => value.replace(/^\S+\s+/, '')),
    ...secretEntries(environment),
  ])
  const mask = createMask(secrets)
  const path = logPath(files)
  const logFile = path === undefined ? undefined : createLogFile(path, mask)
  const log = createLog(frame => logFile?.write(frame))
  const interrupt = onInterrupt()
  const progress = flags.quiet === true ? () => {} : createProgress(process.stderr)

  const outcomes: RunOutcome[] = []
  try {
    for (const target of targets) {
      const options: RunOptions = {
        access: target.access,
        at: target.at,
        role: 'server',
        revision,
        revisionIs: flags.spec === undefined ? 'offered' : 'demanded',
        patience,
        jobs,
        bail: flags.bail === true,
        selection,
        heads,
        log,
        signal: interrupt.signal,
        listen: progress,
        reproduce: scenario => mask.text(`${target.reproduce}${specFlag(flags)} --scenario ${scenario}`),
      }
      outcomes.push(await runTarget(options))
    }
  } finally {
    await Promise.all(targets.map(target => target.close()))
    logFile?.flush()
    interrupt.done()
  }
  const report = createReport(
    { version: packageVersion(), spec: revision, seed, startedAt, durationMs: performance.now() - began, jobs, strict },
    outcomes,
  )
  writeReports(report, files, mask)
  if (onConsole) {
    process.stdout.write(renderConsole(masked(report, mask), useColor()))
    process.stdout.write(footer(files, path, report.durationMs))
  }
  return report.exitCode
}

const useColor = (): boolean => process.stdout.isTTY === true && process.env.NO_COLOR === undefined

const footer = (files: readonly ReportFile[], log: string | undefined, durationMs: number): string => {
  const written = [...files.map(file => file.path), ...(log === undefined ? [] : [log])]
  return `${written.length === 0 ? '' : `Reports: ${written.join(', ')}. `}Took ${(durationMs / 1000).toFixed(1)} s.\n`
}

const specFlag = (flags: RunFlags): string => (flags.spec === undefined ? '' : ` --spec ${flags.spec}`)

/** Ctrl-C ends the run in order, with reports; a second one ends it at once. */
function onInterrupt(): { signal: AbortSignal; done(): void } {
  const controller = new AbortController()
  const stop = (): void => {
    if (controller.signal.aborted) {
      killAllGroups()
      process.exit(EXIT.interrupted)
    }
    controller.abort()
  }
  const names = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  for (const name of names) process.on(name, stop)
  return {
    signal: controller.signal,
    done() {
      for (const name of names) process.off(name, stop)
    },
  }
}

async function prepare(
  flags: RunFlags,
  headers: HeaderList,
  environment: HeaderList,
  patience: Patience,
): Promise<Prepared[]> {
  if (flags.server === undefined) {
    for (const [flag, value] of [
      ['--start', flags.start],
      ['--cwd', flags.cwd],
    ] as const) {
      if (value !== undefined) throw new UsageError(`${flag} says how to launch a server, but no --server is given.`)
    }
    return demonstration()
  }
  const surroundings = surroundingsOf(flags, environment)
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
        access: { via: 'stdio', launch: () => launchCommand(words, surroundings) },
        reproduce: base + launchFlags(flags),
        close: async () => {},
      },
    ]
  }
  const url = urlOf(flags.server)
  if (flags.start === undefined) {
    return [{ at: url, access: { via: 'http', url, headers }, reproduce: base, close: async () => {} }]
  }
  const station = createStation(url, parseArgsStringToArgv(flags.start), surroundings, patience.handshakeMs)
  return [
    {
      at: url,
      access: { via: 'http', url, headers, ready: () => station.ready() },
      reproduce: `${base} --start ${quote(flags.start)}${launchFlags(flags)}`,
      close: () => station.close(),
    },
  ]
}

/** Without a target: the reference server, once as a process and once over HTTP. */
async function demonstration(): Promise<Prepared[]> {
  const program = fileURLToPath(new URL('../reference/main.js', import.meta.url))
  const http = await serveHttp(defaultPolicies(), untampered)
  return [
    {
      at: 'the built-in reference server',
      access: { via: 'stdio', launch: () => launchCommand([process.execPath, program, 'stdio']) },
      reproduce: 'mcp-conformance',
      close: async () => {},
    },
    {
      at: 'the built-in reference server',
      access: { via: 'http', url: http.url, headers: [] },
      reproduce: 'mcp-conformance',
      close: () => http.close(),
    },
  ]
}

function urlOf(text: string): string {
  try {
    return new URL(text).href
  } catch {
    throw new UsageError(`--server ${text} is no valid URL.`)
  }
}

function surroundingsOf(flags: RunFlags, environment: HeaderList): Surroundings {
  if (flags.cwd !== undefined && !(existsSync(flags.cwd) && statSync(flags.cwd).isDirectory())) {
    throw new UsageError(`--cwd ${flags.cwd} is no directory.`)
  }
  return { env: Object.fromEntries(environment), ...(flags.cwd === undefined ? {} : { cwd: flags.cwd }) }
}

const launchFlags = (flags: RunFlags): string =>
  [
    ...flags.env.map(text => ` --env ${quote(text)}`),
    ...(flags.cwd === undefined ? [] : [` --cwd ${quote(flags.cwd)}`]),
  ].join('')

const quote = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : `"${text.replace(/["\\$`]/g, '\\$&')}"`)

const LOOKS_SECRET = /TOKEN|KEY|SECRET|PASS|AUTH/i
const secretEntries = (environment: HeaderList): string[] =>
  environment.filter(([name]) => LOOKS_SECRET.test(name)).map(([, value]) => value)

function revisionOf(spec: string | undefined): Revision {
  if (spec === undefined) return MAIN_REVISION
  if (!isRevision(spec))
    throw new UsageError(`--spec ${spec} is no protocol revision; there are ${STATEFUL.join(', ')}.`)
  if (!STATEFUL.includes(spec)) throw new UsageError(`--spec ${spec} cannot be tested yet; ${STATEFUL.join(', ')} can.`)
  return spec
}

function patienceOf(timeout: string | undefined): Patience {
  if (timeout === undefined) return DEFAULT_PATIENCE
  const ms = wholeNumber('--timeout', timeout, 1)
  return {
    ...DEFAULT_PATIENCE,
    handshakeMs: ms,
    replyMs: Math.min(ms, DEFAULT_PATIENCE.replyMs),
    exitMs: Math.min(ms, DEFAULT_PATIENCE.exitMs),
  }
}

function strictOf(value: string | boolean | undefined): Strict {
  if (value === undefined || value === false) return 'no'
  if (value === true || value === 'warn') return 'warn'
  if (value === 'all') return 'all'
  throw new UsageError(`--strict takes nothing, warn or all, not "${value}".`)
}

function reportsOf(flags: RunFlags): { files: ReportFile[]; console: boolean } {
  const files: ReportFile[] = []
  for (const text of flags.report) {
    const [format = '', ...rest] = text.split('=')
    if (!FORMATS.includes(format as Format)) {
      throw new UsageError(`--report ${format} is unknown; there are ${FORMATS.join(', ')}.`)
    }
    if (format === 'console') continue
    const path = rest.join('=') || (DEFAULT_FILES.find(file => file.format === format)?.path as string)
    files.push({ format: format as ReportFile['format'], path })
  }
  const wantsFiles = flags.report.some(text => !text.startsWith('console'))
  return { files: wantsFiles || flags.report.length > 0 ? files : [...DEFAULT_FILES], console: flags.quiet !== true }
}

function selectionOf(flags: RunFlags, heads: Awaited<ReturnType<typeof listSuites>>): Selection {
  const known: [string, string[], string[]][] = [
    ['--suite', flags.suite, heads.flatMap(suiteNames)],
    ['--scenario', flags.scenario, heads.map(head => head.id)],
    ['--requirement', flags.requirement, loadCatalogue(MAIN_REVISION).entries.map(entry => entry.id)],
  ]
  for (const [flag, globs, names] of known) {
    const first = globs.length === 0 ? undefined : unmatched(globs, [...new Set(names)])[0]
    if (first === undefined) continue
    const hint =
      first.nearest === undefined ? 'mcp-conformance list shows what there is' : `did you mean ${first.nearest}?`
    throw new UsageError(`${flag} ${first.glob} matches nothing; ${hint}`)
  }
  return { suites: flags.suite, scenarios: flags.scenario, requirements: flags.requirement }
}
