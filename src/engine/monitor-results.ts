/** What the monitors saw, as results: one for each claim; what no frame concerned is untested. */
import { holdsIn, loadCatalogue } from '../spec/catalogue.ts'
import { isRevision } from '../spec/revision.ts'
import type { SuiteHead } from './discover.ts'
import type { Observer } from './observe.ts'
import { claimsOf, planMonitors } from './plan.ts'
import type { Result } from './result.ts'
import { judged, type ResultContext, unjudged } from './results.ts'
import type { Selection } from './select.ts'
import { isRed, verdictOf } from './verdict.ts'

export function monitorResults(
  observer: Observer,
  heads: readonly SuiteHead[],
  selection: Selection,
  context: ResultContext,
): Result[] {
  const observed = new Map(observer.observed().map(one => [`${one.monitor} ${one.claim}`, one]))
  return planMonitors(heads, context.role, selection).flatMap(head => {
    if (head.needs.via !== undefined && head.needs.via !== context.via) return []
    return claimsOf(head, context.role, context.via, context.spec, selection).map(({ claim, requirement }) => {
      const fault = observer.broken.get(head.id)
      if (fault !== undefined) {
        const reason = `harness error: ${fault.stack ?? fault.message}`
        return unjudged(context, head.id, claim, requirement, 'error', reason)
      }
      const seen = observed.get(`${head.id} ${claim}`)
      if (seen === undefined) {
        return unjudged(
          context,
          head.id,
          claim,
          requirement,
          'untested',
          'nothing was seen that this could be judged by',
        )
      }
      const catalogue = loadCatalogue(seen.spec)
      const cited = catalogue.find(seen.requirement)
      const held = cited !== undefined && holdsIn(cited, seen.spec) ? cited : requirement
      const spec = isRevision(seen.spec) ? seen.spec : context.spec
      return judged({ ...context, spec }, head.id, held, seen, 0, seen.scenario)
    })
  })
}

/** What the monitors saw when a scenario was run again. */
export const seenAgain = (observer: Observer, context: ResultContext): Result[] =>
  observer
    .observed()
    .map(seen => judged(context, seen.monitor, loadCatalogue(seen.spec).get(seen.requirement), seen, 0))

/** A monitor has seen a failure. */
export const seesRed = (observer: Observer, context: ResultContext): boolean =>
  observer
    .observed()
    .some(({ spec, requirement, worst }) =>
      isRed(verdictOf(loadCatalogue(spec).get(requirement), worst.outcome, context.role)),
    )
