/** Runs one scenario on one peer and collects what it judged, whatever happens on the way. */
import type { OpenPeer } from '../peers/open-peer.ts'
import type { Judgement } from '../suite/judgement.ts'
import type { AnyScenario } from '../suite/server-scenario.ts'
import { clock } from '../wire/clock.ts'
import { within } from '../wire/wait.ts'

export interface Execution {
  judgements: Judgement<string>[]
  /** why the claims that were not judged were not; the key '' stands for all of them */
  unmet: ReadonlyMap<string, string>
  /** an exception of ours */
  error: Error | undefined
  durationMs: number
}

/**
 * A scenario waits many times, each time bounded; this bounds their sum. A target that is silent
 * everywhere could otherwise make one scenario last for minutes.
 */
export const SCENARIO_BUDGET_MS = 60_000

export async function execute(id: string, scenario: AnyScenario, peer: OpenPeer): Promise<Execution> {
  const started = clock().now()
  const judgements: Judgement<string>[] = []
  const unmet = new Map<string, string>()
  let error: Error | undefined
  peer.enter(id)
  const steps = scenario.run(peer)[Symbol.asyncIterator]()
  const run = async (): Promise<'done'> => {
    for (let step = await steps.next(); step.done !== true; step = await steps.next()) {
      if ('unmet' in step.value) {
        for (const claim of step.value.claims ?? ['']) unmet.set(claim, step.value.unmet)
      } else judgements.push(step.value)
    }
    return 'done'
  }
  try {
    const outcome = await within(run(), SCENARIO_BUDGET_MS)
    if (outcome === undefined) {
      unmet.set('', `the scenario did not end within ${SCENARIO_BUDGET_MS / 1000} s`)
      void steps.return?.()
    }
  } catch (problem) {
    error = problem instanceof Error ? problem : new Error(String(problem))
  }
  await peer.leave()
  return { judgements, unmet, error, durationMs: clock().now() - started }
}

/** The judgement that counts for a claim: the worst one. */
export function worstOf(judgements: readonly Judgement<string>[], claim: string): Judgement<string> | undefined {
  const order = ['n/a', 'holds', 'bends', 'breaks']
  return judgements
    .filter(judgement => judgement.claim === claim)
    .reduce<Judgement<string> | undefined>(
      (worst, next) =>
        worst === undefined || order.indexOf(next.outcome) > order.indexOf(worst.outcome) ? next : worst,
      undefined,
    )
}
