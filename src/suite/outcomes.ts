/** What became of a request inside the client, as far as it can be told. */
import type { ClientRun } from './client-scenario.ts'
import { fateOfClient, type Sent } from './seen.ts'

/**
 * Whether the client took the answer of a step: what its driver printed; without a word of it the next thing that it
 * sent; for the last step the way it ended. Undefined: nothing tells.
 */
export function took(run: ClientRun<unknown>, step: number, next?: Sent): boolean | undefined {
  const report = run.steps.get(step)
  if (report !== undefined) return report.outcome === 'unsupported' ? undefined : report.outcome === 'result'
  if (next !== undefined) return true
  return run.end.how === 'exited' && run.end.code === 0
}

/** The evidence for that. */
export function fateOfStep(run: ClientRun<unknown>, step: number, next?: Sent) {
  const report = run.steps.get(step)
  const fate = fateOfClient(run)
  if (report === undefined) return next?.frame ?? fate
  const text = `the driver reports "${report.outcome}" for step ${step}${report.message === undefined ? '' : `: ${report.message}`}`
  return { text, frames: fate.frames }
}
