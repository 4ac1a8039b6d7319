/** `mcp-conformance run`: options in, reports out. */
import { cpus } from 'node:os'
import { setFlagsFromString } from 'node:v8'
import { runClientTarget } from '../engine/client/run.ts'
import { listSuites } from '../engine/discover.ts'
import type { RunOutcome } from '../engine/result.ts'
import { runTarget } from '../engine/run.ts'
import type { RunOptions } from '../engine/scenario.ts'
import { killAllGroups } from '../peers/process.ts'
import { renderConsole } from '../report/console.ts'
import { createProgress } from '../report/progress.ts'
import { createReport, masked } from '../report/report.ts'
import { createLogFile, logPath, type ReportFile, writeReports } from '../report/write.ts'
import { createLog, type HeaderList } from '../wire/log.ts'
import { createMask, looksSecret, secretsOf } from '../wire/mask.ts'
import { clientTimeoutsOf, prepareClients } from './client-targets.ts'
import {
  callToolsOf,
  type RunFlags,
  reportsOf,
  revisionOf,
  selectionOf,
  statefulRevisionOf,
  strictOf,
  timeoutsOf,
} from './flags.ts'
import { EXIT, packageVersion } from './package.ts'
import { prepare } from './targets.ts'
import { keyValue, UsageError, wholeNumber } from './usage.ts'

export async function runCommand(flags: RunFlags): Promise<number> {
  // A target may flood us with megabytes a second; V8 then collects lazily and lets the heap grow to several times what is
  // in use. Preferring size to speed halves the peak and costs nothing that can be measured: the target is the bottleneck.
  setFlagsFromString('--optimize-for-size')
  const startedAt = new Date()
  const began = performance.now()
  const revision = flags.client === undefined ? revisionOf(flags.spec) : statefulRevisionOf(flags.spec, 'a client')
  const timeouts = timeoutsOf(flags.timeout)
  const jobs = flags.jobs === undefined ? Math.min(4, Math.max(1, cpus().length)) : wholeNumber('--jobs', flags.jobs, 1)
  const seed = wholeNumber('--seed', flags.seed, 0)
  const callTools = callToolsOf(flags.callTools)
  const strict = strictOf(flags.strict)
  const { files, console: onConsole } = reportsOf(flags)
  const heads = await listSuites()
  const selection = selectionOf(flags, heads)
  const headers = flags.header.map(text => keyValue('--header', text, ':'))
  const environment = flags.env.map(text => keyValue('--env', text, '='))
  if (flags.transport !== undefined && flags.client === undefined)
    throw new UsageError('--transport goes with --client; a server is reached by its command or by its URL.')
  const clients = flags.client === undefined ? [] : prepareClients(flags, environment, revision)
  const clientTimeouts = clientTimeoutsOf(flags.timeout)
  const targets = flags.client === undefined ? await prepare(flags, headers, environment, timeouts) : []

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

  const shared = {
    revision,
    jobs,
    bail: flags.bail === true,
    selection,
    heads,
    log,
    signal: interrupt.signal,
    listen: progress,
  }
  const reproduceBy =
    (command: string) =>
    (scenario: string): string =>
      mask.text(`${command}${specFlag(flags)} --scenario ${scenario}`)
  let outcomes: RunOutcome[] = []
  try {
    for (const { access, at, reproduce } of targets) {
      const options: RunOptions = {
        ...shared,
        access,
        at,
        role: 'server',
        revisionIs: flags.spec === undefined ? 'offered' : 'demanded',
        timeouts,
        callTools,
        reproduce: reproduceBy(reproduce),
      }
      outcomes.push(await runTarget(options))
    }
    for (const { access, at, reproduce } of clients) {
      if (interrupt.signal.aborted && outcomes.length > 0) break
      outcomes.push(
        await runClientTarget({ ...shared, access, at, timeouts: clientTimeouts, reproduce: reproduceBy(reproduce) }),
      )
    }
    if (clients.some(one => one.optional)) outcomes = withoutUnused(outcomes)
  } finally {
    await Promise.all(targets.map(target => target.close()))
    logFile?.flush()
    interrupt.done()
  }
  const report = createReport(
    {
      version: packageVersion(),
      spec: revision,
      seed,
      startedAt,
      durationMs: performance.now() - began,
      cpuMs: cpuMs(),
      jobs,
      callTools: flags.callTools,
      strict,
    },
    outcomes,
  )
  writeReports(report, files, mask)
  if (onConsole) {
    process.stdout.write(renderConsole(masked(report, mask), useColor()))
    process.stdout.write(footer(files, path, report.durationMs))
  }
  return report.exitCode
}

/** A transport that nobody asked for and that the client does not use is no result; it is said, and left at that. */
function withoutUnused(outcomes: RunOutcome[]): RunOutcome[] {
  const used = outcomes.filter(outcome => outcome.trouble?.kind !== 'silent')
  if (used.length === 0 || used.length === outcomes.length) return outcomes
  const unused = outcomes.find(outcome => !used.includes(outcome))?.targets[0]?.via
  used[0]?.notes.push(`The client does not use ${unused === 'http' ? 'HTTP' : 'stdio'}, so it was not tested there.`)
  return used
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
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

const secretEntries = (environment: HeaderList): string[] =>
  environment.filter(([name]) => looksSecret(name)).map(([, value]) => value)
