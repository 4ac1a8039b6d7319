/** Lets a scenario judge one start of the client. */
import type { AnyClientScenario, ClientRun } from '../../suite/client-scenario.ts'
import type { Judgement } from '../../suite/judgement.ts'
import { clock } from '../../wire/clock.ts'
import type { Execution } from '../execute.ts'

/** Exit code of a driver that does not know the scenario (as a shell says it of a command). */
export const UNKNOWN_SCENARIO = 127

export function judgeRun(scenario: AnyClientScenario, run: ClientRun<unknown>, fault: Error | undefined): Execution {
  const began = clock().now()
  const judgements: Judgement<string>[] = []
  const unmet = new Map<string, string>()
  let error = fault
  if (run.end.code === UNKNOWN_SCENARIO && run.messages.length === 0) {
    unmet.set('', `the driver does not know the scenario ${run.drive.name} (it exits with ${UNKNOWN_SCENARIO})`)
  } else if (run.messages.length === 0 && run.requests.length === 0 && run.launches === 0) {
    unmet.set('', `the client did not come to our server (${endOf(run)})`)
  } else if (error === undefined) {
    try {
      for (const step of scenario.run(run)) {
        if ('unmet' in step) for (const claim of step.claims ?? ['']) unmet.set(claim, step.unmet)
        else judgements.push(step)
      }
    } catch (problem) {
      error = problem instanceof Error ? problem : new Error(String(problem))
    }
  }
  return { judgements, unmet, error, durationMs: run.end.atMs - startOf(run) + (clock().now() - began) }
}

/** How the client ended, in words. */
export function endOf({ end }: ClientRun<unknown>): string {
  if (end.how === 'stopped') return 'it was still running when its time was over'
  if (end.frame.kind === 'end' && end.frame.why === 'failed') return end.frame.detail ?? 'it could not be started'
  return end.signal === undefined ? `it exited with code ${end.code ?? '?'}` : `it was ended by ${end.signal}`
}

const startOf = (run: ClientRun<unknown>): number => run.frames[0]?.at ?? run.end.atMs
