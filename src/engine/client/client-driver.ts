/** A client under test: it is started once for each script, and scenarios judge what it did when it has ended. */
import type { AnyClientScenario, ClientRun, Script } from '../../suite/client-scenario.ts'
import { loadSuite } from '../discover.ts'
import { seenAgain } from '../monitor-results.ts'
import { createObserver, type Observer } from '../observe.ts'
import { claimsOf, type Planned } from '../plan.ts'
import type { Result } from '../result.ts'
import type { DriverOf, Played, RoleDriver, Unit } from '../role-driver.ts'
import { resultsOf } from '../scenario-results.ts'
import { SANITY } from '../suite-id.ts'
import { beginClient, FIRST } from './begin.ts'
import type { ClientSituation, ClientTarget } from './client-situation.ts'
import { judgeRun } from './judge.ts'
import { startClient } from './run-script.ts'

/** Starts side by side. Each is a process of its own, most of which wait for our server rather than work. */
const MOST = 4

export const clientDriver =
  (client: ClientTarget): DriverOf =>
  run => {
    const { options, observer } = run
    let starts = 0
    const nextLabel = (): string => {
      starts += 1
      return `c${starts}`
    }
    const start: ClientSituation['start'] = async (script, scenario, more = {}) => {
      const { revision, log, signal } = options
      const label = more.label ?? nextLabel()
      const started = await startClient(script, { ...client, revision, log, label, scenario, signal, ...more })
      endSessions(observer, started.run)
      return started
    }
    return driverOf({ ...run, client, start, nextLabel }, () => starts)
  }

function driverOf(situation: ClientSituation, starts: () => number): RoleDriver {
  const { options } = situation
  return {
    role: 'client',
    begin: outcome => beginClient(situation, outcome),
    units: unitsOf,
    limit: () => options.jobs ?? MOST,
    play: unit => play(situation, unit as ClientUnit),
    async end() {},
    async close() {},
    replay: (scenario, _blamed) => replay(situation, scenario),
    // Each start hears the signal by itself.
    interrupt() {},
    get starts() {
      return starts()
    },
  }
}

/** Scenarios with the same script: one start of the client serves them all. */
interface ClientUnit extends Unit {
  script: Script<unknown>
  scenarios: AnyClientScenario[]
}

async function unitsOf(planned: readonly Planned[]): Promise<ClientUnit[]> {
  const units = new Map<Script<unknown>, { planned: Planned; scenario: AnyClientScenario }[]>()
  for (const one of planned) {
    const scenario = (await loadSuite(one.head.id)) as AnyClientScenario
    units.set(scenario.script, [...(units.get(scenario.script) ?? []), { planned: one, scenario }])
  }
  // Long scripts first: the others fill the lanes beside them.
  return [...units]
    .sort(([a], [b]) => (b.lastsMs ?? 0) - (a.lastsMs ?? 0))
    .map(([script, members]) => ({
      script,
      members: members.map(one => one.planned),
      scenarios: members.map(one => one.scenario),
      company: members.some(one => one.planned.head.exclusive) ? 'none' : 'any',
    }))
}

async function play({ context, start }: ClientSituation, unit: ClientUnit): Promise<Played> {
  const { run, error } = await start(unit.script, unit.members[0]?.head.id ?? '')
  return {
    results: unit.members.map((one, index) =>
      resultsOf(context, one, judgeRun(unit.scenarios[index] as AnyClientScenario, run, error)),
    ),
  }
}

/** Plays the script again, alone. */
async function replay(situation: ClientSituation, id: string): Promise<Result[]> {
  const { options, context, monitors, start, nextLabel } = situation
  const label = nextLabel()
  const { via } = context
  const observer = createObserver(monitors, options.log, { via, role: 'client', offered: options.revision, label })
  const head = options.heads.find(one => one.id === id)
  const results: Result[] = []
  try {
    if (head?.kind === 'client-scenario') {
      const scenario = (await loadSuite(id)) as AnyClientScenario
      const { run, error } = await start(scenario.script, id, { label })
      const claims = claimsOf(head, 'client', via, context.spec)
      results.push(...resultsOf(context, { head, claims }, judgeRun(scenario, run, error)))
      endSessions(observer, run)
    } else {
      const { run } = await start(FIRST, SANITY, { label })
      endSessions(observer, run)
    }
  } finally {
    observer.close()
  }
  return [...results, ...seenAgain(observer, context)]
}

/** The monitors of each conversation draw their last conclusions. */
export function endSessions(observer: Observer, run: ClientRun<unknown>): void {
  for (const session of new Set(run.frames.map(frame => frame.session))) observer.end(session)
}
