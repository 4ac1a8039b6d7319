/** Run events: what the engine tells whoever listens. Reporters consume them; the engine knows none. */
import type { Result, RunOutcome, TargetFacts } from './result.ts'

export type RunEvent =
  | { type: 'run-started'; planned: number }
  | { type: 'target-opened'; target: TargetFacts }
  | { type: 'scenario-started'; id: string }
  | { type: 'scenario-ended'; id: string; results: Result[]; done: number; planned: number }
  | { type: 'confirming'; id: string }
  | { type: 'run-ended'; outcome: RunOutcome }

export type Listen = (event: RunEvent) => void
