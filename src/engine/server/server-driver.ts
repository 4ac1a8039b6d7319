/** A server under test: sessions on it, shared where scenarios allow it, and a look at its life first and last. */
import { createSessionFactory } from '../../peers/session-factory.ts'
import { type Bearing, createBearing } from '../bearing.ts'
import type { Result, RunOutcome } from '../result.ts'
import type { DriverOf, RoleDriver } from '../role-driver.ts'
import { SANITY } from '../suite-id.ts'
import { beginServer } from './begin.ts'
import { playScenario } from './play-scenario.ts'
import { replayOn } from './replay.ts'
import type { ServerAccess, ServerRun } from './server-run.ts'
import { type ServerUnit, unitsOf } from './server-units.ts'
import { createSessions, type Sessions } from './sessions.ts'
import { isOpenedAnew, SHARING } from './sharing.ts'

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
      return playScenario(run, unit, sessions)
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

/** A target that died under the suites is named, not silently half tested. */
async function lookAgain({ factory, options }: ServerRun, outcome: RunOutcome): Promise<void> {
  const peer = await factory.open({}, SANITY)
  if (peer.opening?.kind !== 'result') {
    outcome.trouble = { kind: 'died', sentence: `${options.at} no longer answers initialize at the end of the run.` }
  }
  await peer.close()
}
