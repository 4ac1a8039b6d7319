/** A server under test: sessions on it, shared where scenarios allow it, and a look at its life first and last. */
import { NotReady } from '../../peers/launched-server.ts'
import { createSessionFactory } from '../../peers/session-factory.ts'
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
import { replayOn } from './replay.ts'
import type { ServerAccess, ServerRun } from './server-run.ts'
import { createSessions, type Sessions } from './sessions.ts'

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
      onSession: (session, event) => {
        if (event === 'ends') observer.end(session)
      },
    })
    const sessions = createSessions(factory, 'shared', answerMs => bearing.saw(answerMs))
    return driverOf({ ...run, server, factory }, sessions, bearing)
  }

/** Processes that are started while others still answer. */
const AHEAD = 2

function driverOf(run: ServerRun, sessions: Sessions, bearing: Bearing): RoleDriver {
  const { factory } = run
  let replays = 0
  let replayed = 0
  let own = 0
  return {
    role: 'server',
    begin: outcome => beginServer(run, outcome),
    async units(planned) {
      own = planned.filter(hasItsOwn).length
      return unitsOf(planned, run.server.access.via)
    },
    limit: () => bearing.limit,
    async play(unit) {
      const [one] = unit.members
      if (one === undefined) return { results: [] }
      if (hasItsOwn(one)) own -= 1
      factory.reserve(own)
      return playOne(run, one, sessions)
    },
    async end(outcome) {
      factory.reserve(0)
      await sessions.close()
      await lookAgain(run, outcome)
    },
    async close() {
      await sessions.close()
      await factory.close()
    },
    async replay(scenario, blamed): Promise<Result[]> {
      replays += 1
      const { results, starts } = await replayOn(run, `r${replays}.`, scenario, blamed)
      replayed += starts
      return results
    },
    interrupt: () => factory.interrupt(),
    get starts() {
      return factory.starts + replayed
    },
  }
}

const hasItsOwn = ({ head }: Planned): boolean => head.session !== 'shared' && head.session !== 'own'

/**
 * Those that need a process of their own keep others waiting least when the shared ones have begun. Over stdio a process
 * stands for itself, so that nothing needs to run alone there: what overwhelms one leaves the others in peace.
 */
function unitsOf(planned: readonly Planned[], via: 'stdio' | 'http'): Unit[] {
  const rank = (one: Planned): number => (one.head.session === 'shared' ? 0 : one.head.session === 'own' ? 1 : 2)
  return [...planned]
    .sort((a, b) => rank(a) - rank(b))
    .map(one => ({ members: [one], alone: one.head.exclusive && via === 'http' }))
}

async function playOne(run: ServerRun, one: Planned, sessions: Sessions): Promise<Played> {
  const { context } = run
  const scenario = (await loadSuite(one.head.id)) as AnyScenario
  let taken: Awaited<ReturnType<Sessions['take']>>
  try {
    taken = await sessions.take(one.head.id, scenario)
  } catch (problem) {
    if (!(problem instanceof NotReady)) throw problem
    return { results: [skipAll(context, one, 'untested', problem.message)], lost: problem.message }
  }
  if ('why' in taken) {
    const reason = `no session could be opened: ${taken.why}`
    return { results: [skipAll(context, one, 'untested', reason)], ...(taken.dead ? { lost: reason } : {}) }
  }
  const results = resultsOf(context, one, await execute(one.head.id, scenario, taken.peer))
  await sessions.give(scenario, taken.peer)
  return { results: [results] }
}

/** A target that died under the suites is named, not silently half tested. */
async function lookAgain({ factory, options }: ServerRun, outcome: RunOutcome): Promise<void> {
  const peer = await factory.open({}, SANITY)
  if (peer.opening?.kind !== 'result') {
    outcome.trouble = { kind: 'died', sentence: `${options.at} no longer answers initialize at the end of the run.` }
  }
  await peer.close()
}
