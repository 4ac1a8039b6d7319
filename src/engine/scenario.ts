/** One run and one scenario of it: what the main run and the confirmation share. */

import type { OpenPeer } from '../peers/open-peer.ts'
import type { Access, SessionFactory } from '../peers/session-factory.ts'
import type { CallTools, Timeouts } from '../peers/target.ts'
import type { Revision } from '../spec/revision.ts'
import type { AnyScenario } from '../suite/server-scenario.ts'
import type { WireLog } from '../wire/log.ts'
import type { SuiteHead } from './discover.ts'
import type { Listen } from './events.ts'
import { type Execution, execute, worstOf } from './execute.ts'
import { faultsIn } from './faults.ts'
import type { NamedMonitor, Observer } from './observe.ts'
import type { Planned } from './plan.ts'
import type { Result } from './result.ts'
import { judged, type ResultContext, unjudged } from './results.ts'
import type { Selection } from './select.ts'

export interface RunOptions {
  access: Access
  /** the command line or URL, for messages */
  at: string
  role: 'server'
  /** what we offer; `strict` means that another answer ends the run */
  revision: Revision
  revisionIs: 'offered' | 'demanded'
  timeouts: Timeouts
  callTools: CallTools
  jobs: number
  bail: boolean
  selection: Selection
  heads: readonly SuiteHead[]
  log: WireLog
  signal: AbortSignal
  listen: Listen
  reproduce(scenario: string): string
}

export interface Run {
  options: RunOptions
  opener: SessionFactory
  observer: Observer
  monitors: NamedMonitor[]
  context: ResultContext
}

/** Runs the scenario on the peer; one result for each claim. */
export async function judgeScenario(
  context: ResultContext,
  one: Planned,
  scenario: AnyScenario,
  peer: OpenPeer,
): Promise<Result[]> {
  return resultsOf(context, one, await execute(one.head.id, scenario, peer))
}

/** One result for each claim, from what a scenario judged and why it did not judge the rest. */
export function resultsOf(
  context: ResultContext,
  one: Pick<Planned, 'head' | 'claims'>,
  { judgements, unmet, error, durationMs }: Execution,
): Result[] {
  return one.claims.map(({ claim, requirement }) => {
    const worst = worstOf(judgements, claim)
    if (worst !== undefined) {
      const seen = faultsIn(judgements.filter(judgement => judgement.claim === claim))
      return judged(context, one.head.id, requirement, { worst, ...seen }, durationMs)
    }
    if (error !== undefined) {
      const reason = `harness error: ${error.stack ?? error.message}`
      return unjudged(context, one.head.id, claim, requirement, 'error', reason)
    }
    const reason = unmet.get(claim) ?? unmet.get('') ?? 'the scenario did not come to this claim'
    return unjudged(context, one.head.id, claim, requirement, 'untested', reason)
  })
}

export const skipAll = (context: ResultContext, one: Planned, verdict: 'skip' | 'untested', reason: string): Result[] =>
  one.claims.map(({ claim, requirement }) => unjudged(context, one.head.id, claim, requirement, verdict, reason))
