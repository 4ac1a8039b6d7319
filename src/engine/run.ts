/** Runs the suites against one target, whatever its role: a first conversation, units side by side, a last look, reds confirmed. */
import type { Via } from '../spec/catalogue.ts'
import type { AnyMonitor } from '../suite/monitor-definition.ts'
import { confirmReds } from './confirm.ts'
import { loadSuite } from './discover.ts'
import { runLanes } from './lanes.ts'
import { monitorResults, seesRed } from './monitor-results.ts'
import { createObserver, type NamedMonitor } from './observe.ts'
import { type Planned, planMonitors, planScenarios } from './plan.ts'
import type { Result, RunOutcome } from './result.ts'
import { byPlace, type ResultContext } from './results.ts'
import type { DriverOf, RoleDriver, Run, RunOptions, Unit } from './role-driver.ts'
import { skipAll } from './scenario-results.ts'
import { isRed } from './verdict.ts'

export interface Target {
  role: RoleDriver['role']
  via: Via
  driver: DriverOf
}

export async function runTarget({ role, via, driver: driverOf }: Target, options: RunOptions): Promise<RunOutcome> {
  const { log, heads, selection, revision, reproduce, signal } = options
  const monitors = await loadMonitors(planMonitors(heads, role, selection).map(head => head.id))
  const observer = createObserver(monitors, log, {
    via,
    role,
    offered: revision,
    ...(options.label === undefined ? {} : { label: options.label }),
  })
  const context: ResultContext = { role, via, spec: revision, reproduce }
  const run: Run = { options, context, monitors, observer }
  const driver = driverOf(run)
  const outcome = emptyOutcome(role, via, options.at)
  const interrupt = (): void => driver.interrupt()
  signal.addEventListener('abort', interrupt, { once: true })
  try {
    await runAll(run, driver, outcome)
  } finally {
    signal.removeEventListener('abort', interrupt)
    await driver.close()
    observer.close()
    outcome.results.push(...monitorResults(observer, heads, selection, context))
    if (!signal.aborted) outcome.unstable = await confirmReds(run, driver, outcome.results)
    outcome.processStarts = driver.starts
    outcome.interrupted = signal.aborted
    outcome.results.sort(byPlace)
    options.listen({ type: 'run-ended', outcome })
  }
  return outcome
}

const emptyOutcome = (role: RoleDriver['role'], via: Via, at: string): RunOutcome => ({
  role,
  targets: [{ role, via, at }],
  results: [],
  interrupted: false,
  unstable: false,
  processStarts: 0,
  notes: [],
})

const loadMonitors = (ids: readonly string[]): Promise<NamedMonitor[]> =>
  Promise.all(ids.map(async id => ({ id, monitor: (await loadSuite(id)) as AnyMonitor })))

async function runAll(run: Run, driver: RoleDriver, outcome: RunOutcome): Promise<void> {
  const { options, context } = run
  const { revision, capabilities, only } = await driver.begin(outcome)
  context.spec = revision
  const facts = { role: driver.role, via: context.via, revision, capabilities }
  const planned = planScenarios(options.heads, facts, options.selection)
  const judged: Planned[] = []
  for (const one of planned) {
    if (only === undefined || (await only.judges(one))) judged.push(one)
    else outcome.results.push(...skipAll(context, one, 'untested', only.reason))
  }
  options.listen({ type: 'run-started', planned: judged.length })
  await playAll(run, driver, judged, outcome)
  if (outcome.trouble === undefined && !options.signal.aborted) await driver.end(outcome)
}

async function playAll(run: Run, driver: RoleDriver, planned: readonly Planned[], outcome: RunOutcome): Promise<void> {
  const { options, context, observer } = run
  let done = 0
  let stopped: string | undefined
  const ended = (one: Planned, results: Result[]): void => {
    done += 1
    outcome.results.push(...results)
    if (options.bail && (results.some(result => isRed(result.verdict)) || seesRed(observer, context)))
      stopped ??= '--bail: a failure came before'
    options.listen({ type: 'scenario-ended', id: one.head.id, results, done, planned: planned.length })
  }
  for (const one of planned) if (one.skip !== undefined) ended(one, skipAll(context, one, 'skip', one.skip))
  const units = await driver.units(planned.filter(one => one.skip === undefined))
  const doubtful: Unit[] = []
  const play = async (unit: Unit, company: Unit['company'] = unit.company): Promise<void> => {
    const why = options.signal.aborted ? 'the run was interrupted' : stopped
    if (why !== undefined) {
      for (const one of unit.members) ended(one, skipAll(context, one, 'untested', why))
      return
    }
    for (const { head } of unit.members) options.listen({ type: 'scenario-started', id: head.id })
    const played = await driver.play(unit)
    if (company === 'harmful' && played.doubtful === true) {
      doubtful.push(unit)
      return
    }
    stopped ??= played.lost
    unit.members.forEach((one, index) => {
      ended(one, played.results[index] ?? [])
    })
  }
  for (const company of ['any', 'harmful'] as const)
    await runLanes(
      units.filter(unit => unit.company === company),
      () => driver.limit(),
      play,
      unit => driver.isReady?.(unit) ?? true,
    )
  for (const unit of [...doubtful, ...units.filter(({ company }) => company === 'none')]) await play(unit, 'none')
}
