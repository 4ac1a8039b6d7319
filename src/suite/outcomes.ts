/** What became of a request inside the client, as far as it can be told, and what is wrong where it went badly. */
import type { ClientRun, StepReport } from './client-scenario.ts'
import { type Judgement, judge, type Kind } from './judgement.ts'
import { fateOfClient, type Sent } from './seen.ts'

/** What is wrong with a client that should have gone on: it ended, or it lived and did nothing until its time was over. */
export const endKind = ({ end }: Pick<ClientRun<unknown>, 'end'>): Kind => (end.how === 'stopped' ? 'stuck' : 'died')

/** What is wrong where the client did not take the answer of a step: its driver reports an error, else how it ended. */
export const stepKind = (run: Pick<ClientRun<unknown>, 'end' | 'steps'>, step: number): Kind =>
  run.steps.get(step)?.outcome === 'error' ? 'refused' : endKind(run)

/** A failure that the driver reports, in words. */
export const reported = ({ message }: StepReport): string => `it reports: ${message ?? 'a failure'}`

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

/** Which answer the client had to take. */
export interface TakenStep {
  step: number
  /** what the client sent next */
  next?: Sent | undefined
  expected: string
  subject?: string
  /** what it is where the client did not take it; a breach, where nothing is said */
  wrong?: 'bends'
}

/** The judgement of whether the client took the answer of a step; none where nothing tells. */
export function judgeTaken<C extends string>(
  claim: C,
  run: ClientRun<unknown>,
  { step, next, expected, subject, wrong }: TakenStep,
): Judgement<C>[] {
  const taken = took(run, step, next)
  if (taken === undefined) return []
  const fault = { kind: stepKind(run, step), ...(subject === undefined ? {} : { subject }) }
  return [judge(claim, taken || (wrong ?? false), expected, fateOfStep(run, step, next), fault)]
}
