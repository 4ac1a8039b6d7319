/** Plays one scenario in the conversation that it asks for. */
import { NotReady } from '../../peers/launched-server.ts'
import type { AnyScenario } from '../../suite/server-scenario.ts'
import { execute } from '../execute.ts'
import type { Planned } from '../plan.ts'
import type { Result } from '../result.ts'
import type { Played } from '../role-driver.ts'
import { resultsOf, skipAll } from '../scenario-results.ts'
import { openFor } from './open-session.ts'
import type { ServerRun } from './server-run.ts'
import type { ServerUnit } from './server-units.ts'
import type { Sessions, Taken } from './sessions.ts'

export async function playScenario(
  run: ServerRun,
  { one, scenario, lacks }: ServerUnit,
  sessions: Sessions,
): Promise<Played> {
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
