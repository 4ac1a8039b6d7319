/** From what a scenario judged to one result for each of its claims. */
import type { Execution } from './execute.ts'
import { worstOf } from './execute.ts'
import { faultsIn } from './faults.ts'
import type { Planned } from './plan.ts'
import type { Result } from './result.ts'
import { judged, type ResultContext, unjudged } from './results.ts'

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
