/** `mcp-conformance run`: options in, reports out. */
import { listSuites } from '../engine/discover.ts'
import type { RunOutcome } from '../engine/result.ts'
import { killAllGroups } from '../peers/process.ts'
import { renderConsole } from '../report/console.ts'
import { createProgress } from '../report/progress.ts'
import { createReport, masked } from '../report/report.ts'
import { createLogFile, logPath, type ReportFile, writeReports } from '../report/write.ts'
import { createLog, type HeaderList, type WireLog } from '../wire/log.ts'
import { createMask, looksSecret, type Mask, secretsOf } from '../wire/mask.ts'
import { type RunFlags, reportsOf, revisionOf, selectionOf, strictOf } from './flags.ts'
import { watchFlood } from './heap.ts'
import { EXIT, packageVersion } from './package.ts'
import { prepareTargets, runTargets } from './run-targets.ts'
import { keyValue, UsageError, wholeNumber } from './usage.ts'

export async function runCommand(flags: RunFlags): Promise<number> {
  const startedAt = new Date()
  const began = performance.now()
  const revision = revisionOf(flags.spec)
  const jobs = flags.jobs === undefined ? undefined : wholeNumber('--jobs', flags.jobs, 1)
  const seed = wholeNumber('--seed', flags.seed, 0)
  const strict = strictOf(flags.strict)
  const { files, console: onConsole } = reportsOf(flags)
  const heads = await listSuites()
  const selection = selectionOf(flags, heads)
  const headers = flags.header.map(text => keyValue('--header', text, ':'))
  const environment = flags.env.map(text => keyValue('--env', text, '='))
  if (flags.transport !== undefined && flags.client === undefined)
    throw new UsageError('--transport goes with --client; a server is reached by its command or by its URL.')
  const targets = await prepareTargets(flags, revision, headers, environment)

  const mask = maskFor(headers, environment)
  const { log, path, flush } = openLog(files, mask)
  const interrupt = onInterrupt()
  const reproduceBy = (command: string) => (scenario: string) =>
    mask.text(`${command}${specFlag(flags)} --scenario ${scenario}`)
  let outcomes: RunOutcome[] = []
  try {
    const options = {
      revision,
      revisionIs: flags.spec === undefined ? ('offered' as const) : ('demanded' as const),
      ...(jobs === undefined ? {} : { jobs }),
      bail: flags.bail === true,
      selection,
      heads,
      log,
      signal: interrupt.signal,
      listen: flags.quiet === true ? () => {} : createProgress(process.stderr),
    }
    outcomes = await runTargets(targets, options, reproduceBy)
  } finally {
    await Promise.all(targets.map(target => target.close()))
    flush()
    interrupt.done()
  }
  const durationMs = performance.now() - began
  const head = { version: packageVersion(), spec: revision, seed, startedAt, durationMs, cpuMs: cpuMs(), strict }
  const report = createReport({ ...head, jobs: jobs ?? null, callTools: flags.callTools }, outcomes)
  writeReports(report, files, mask)
  if (onConsole) {
    process.stdout.write(renderConsole(masked(report, mask), useColor()))
    process.stdout.write(footer(files, path, report.durationMs))
  }
  return report.exitCode
}

const maskFor = (headers: HeaderList, environment: HeaderList): Mask =>
  createMask(
    secretsOf(process.env, [
      ...headers.map(([, value]) => value.replace(/^\S+\s+/, '')),
      ...environment.filter(([name]) => looksSecret(name)).map(([, value]) => value),
    ]),
  )

/** The wire log, written beside the JSON report as it comes. */
function openLog(files: readonly ReportFile[], mask: Mask): { log: WireLog; path: string | undefined; flush(): void } {
  const path = logPath(files)
  const file = path === undefined ? undefined : createLogFile(path, mask)
  const isFlood = watchFlood()
  const log = createLog(frame => {
    isFlood(frame)
    file?.write(frame)
  })
  return { log, path, flush: () => file?.flush() }
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
