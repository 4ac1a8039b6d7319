/** A server under test: sessions on it, shared where scenarios allow it, and a look at its life first and last. */

import type { Access } from '../../peers/connections.ts'
import { NotReady } from '../../peers/launched-server.ts'
import { createSessionFactory } from '../../peers/session-factory.ts'
import type { Via } from '../../spec/catalogue.ts'
import type { AnyScenario } from '../../suite/server-scenario.ts'
import { type Bearing, createBearing } from '../bearing.ts'
import { loadSuite } from '../discover.ts'
import { execute } from '../execute.ts'
import type { Planned } from '../plan.ts'
import type { Result, RunOutcome } from '../result.ts'
import type { DriverOf, Played, RoleDriver, Unit } from '../role-driver.ts'
import { resultsOf, skipAll } from '../scenario-results.ts'
import { SANITY } from '../suite-id.ts'
import { beginServer } from './begin.ts'
import { allCapabilities, fixtureKey, isWorthALook, missingFixtures, partsOf } from './fixtures.ts'
import { openFor } from './open-session.ts'
import { replayOn } from './replay.ts'
import type { ServerAccess, ServerRun } from './server-run.ts'
import { createSessions, type Sessions, type Taken } from './sessions.ts'

/** Conversations side by side. A process for each costs the machine more than a session at an endpoint. */
const MOST = { stdio: 6, http: 12 }
const LEAST = 2

export const serverDriver =
  (server: ServerAccess): DriverOf =>
  run => {
    const { options, observer } = run
    const { access, timeouts, callTools } = server
    const most = options.jobs ?? MOST[access.via]
    const bearing = createBearing(Math.min(LEAST, most), most)
    const factory = createSessionFactory({
      access,
      revision: options.revision,
      timeouts,
      log: options.log,
      callTools,
      ahead: Math.min(most, AHEAD),
      ...(options.label === undefined ? {} : { label: options.label }),
      onSession: (session, event) => {
        if (event === 'ends') observer.end(session)
      },
    })
    const sessions = createSessions(factory, {
      ...SHARING[access.via],
      onAnswer: answerMs => bearing.saw(answerMs),
    })
    return driverOf({ ...run, server, factory }, sessions, bearing)
  }

/** Processes that are started while others still answer. */
const AHEAD = 2

/**
 * A process start costs a second of a processor, a session at an endpoint three requests. What leaves traces shares
 * processes only: over HTTP a stream that was left open would be one of them.
 */
const SHARING = {
  stdio: { perSession: 40, own: 'share' },
  http: { perSession: 16, own: 'alone' },
} as const

interface ServerUnit extends Unit {
  one: Planned
  scenario: AnyScenario
  /** a fixture that it needs and that the target does not list */
  lacks: string | undefined
}

function driverOf(run: ServerRun, sessions: Sessions, bearing: Bearing): RoleDriver<ServerUnit> {
  const { factory } = run
  const { via } = run.server.access
  let replays = 0
  let replayed = 0
  let own = 0
  const hasItsOwn = ({ scenario, lacks }: ServerUnit): boolean => lacks === undefined && isOpenedAnew(scenario, via)
  return {
    role: 'server',
    begin: outcome => beginServer(run, sessions, outcome),
    async units(planned) {
      const units = await unitsOf(run, sessions, planned)
      sessions.expect(units.filter(one => one.lacks === undefined).map(one => one.scenario))
      own = units.filter(hasItsOwn).length
      return units
    },
    limit: () => bearing.limit,
    isReady: unit => unit.lacks !== undefined || sessions.isReady(unit.scenario),
    play(unit) {
      if (hasItsOwn(unit)) own -= 1
      factory.reserve(own)
      return playOne(run, unit, sessions)
    },
    async end(outcome) {
      factory.reserve(0)
      if (via === 'http' || !(await sessions.isAlive())) await lookAgain(run, outcome)
      await sessions.close()
    },
    async close() {
      await sessions.close()
      await factory.close()
    },
    async replay(scenario, blamed): Promise<Result[]> {
      replays += 1
      const { results, starts } = await replayOn(run, `${run.options.label ?? ''}r${replays}.`, scenario, blamed)
      replayed += starts
      return results
    },
    interrupt: () => factory.interrupt(),
    get starts() {
      return factory.starts + replayed
    },
  }
}

const isOpenedAnew = ({ session = 'shared' }: AnyScenario, via: Via): boolean =>
  session === 'own' ? SHARING[via].own === 'alone' : session !== 'shared'

/** Those that share go first, those that leave traces behind them: they take over what the others have opened. */
const RANK = { shared: 0, own: 1, fresh: 2, process: 2, 'no-handshake': 2 }

/**
 * Over stdio a process stands for itself, so that nothing needs to run alone there: what overwhelms one leaves the others
 * in peace. A server that we can start again may be brought down by several at a time, for each of them is then asked
 * alone; of one that we cannot, the first one to bring it down has to be known.
 */
function companyOf({ exclusive, harmful }: AnyScenario, access: Access): Unit['company'] {
  if (access.via === 'stdio') return 'any'
  if (exclusive === true) return 'none'
  if (harmful === true) return access.ready === undefined ? 'none' : 'harmful'
  return 'any'
}

async function unitsOf(run: ServerRun, sessions: Sessions, planned: readonly Planned[]): Promise<ServerUnit[]> {
  const loaded = await Promise.all(
    planned.map(async one => ({ one, scenario: (await loadSuite(one.head.id)) as AnyScenario })),
  )
  const missing = await missingFrom(
    run,
    sessions,
    loaded.map(({ scenario }) => scenario),
  )
  return loaded
    .map(({ one, scenario }) => {
      const fixture = scenario.needs?.fixture
      const lacks = fixture !== undefined && missing.has(fixtureKey(fixture)) ? partsOf(fixture)[1] : undefined
      const company = lacks === undefined ? companyOf(scenario, run.server.access) : 'any'
      return { members: [one], one, scenario, lacks, company }
    })
    .sort((a, b) => RANK[a.scenario.session ?? 'shared'] - RANK[b.scenario.session ?? 'shared'])
}

async function missingFrom(
  { factory }: ServerRun,
  sessions: Sessions,
  scenarios: readonly AnyScenario[],
): Promise<ReadonlySet<string>> {
  const plain = sessions.free()
  if (plain === undefined || !isWorthALook(scenarios)) return new Set()
  const able = await factory.open({ capabilities: allCapabilities(scenarios) }, SANITY)
  const missing = able.opening?.kind === 'result' ? await missingFixtures([plain, able], scenarios) : new Set<string>()
  void able.close()
  return missing
}

async function playOne(run: ServerRun, { one, scenario, lacks }: ServerUnit, sessions: Sessions): Promise<Played> {
  const { context } = run
  if (lacks !== undefined) return { results: [skipAll(context, one, 'untested', `fixture ${lacks} not offered`)] }
  let taken: Taken
  try {
    taken = await sessions.take(one.head.id, scenario)
  } catch (problem) {
    if (!(problem instanceof NotReady)) throw problem
    return { results: [skipAll(context, one, 'untested', problem.message)], lost: problem.message, doubtful: true }
  }
  if ('why' in taken) {
    const reason = `no session could be opened: ${taken.why}`
    const results = [skipAll(context, one, 'untested', reason)]
    return { results, ...(taken.dead ? { lost: reason, doubtful: true } : {}) }
  }
  const results = resultsOf(context, one, await execute(one.head.id, scenario, taken.peer))
  await sessions.give(scenario, taken.peer)
  if (!results.some(isClouded) || run.options.signal.aborted) return { results: [results] }
  const isFollower = scenario.session === 'own' && taken.used === 'before'
  return { results: [isFollower ? await playAnew(run, one, scenario, results) : results], doubtful: true }
}

/**
 * What is not as it should be behind a scenario that left traces may be due to them: what counts is what the scenario
 * shows in a conversation that begins with it.
 */
async function playAnew(
  { context, factory }: ServerRun,
  one: Planned,
  scenario: AnyScenario,
  before: Result[],
): Promise<Result[]> {
  const opened = await openFor(factory, scenario, one.head.id)
  if (!('peer' in opened)) return before
  const results = resultsOf(context, one, await execute(one.head.id, scenario, opened.peer))
  void opened.peer.close()
  return results
}

const isClouded = ({ verdict }: Result): boolean => verdict === 'fail' || verdict === 'warn' || verdict === 'info'

/** A target that died under the suites is named, not silently half tested. */
async function lookAgain({ factory, options }: ServerRun, outcome: RunOutcome): Promise<void> {
  const peer = await factory.open({}, SANITY)
  if (peer.opening?.kind !== 'result') {
    outcome.trouble = { kind: 'died', sentence: `${options.at} no longer answers initialize at the end of the run.` }
  }
  await peer.close()
}
