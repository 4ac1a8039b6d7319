import type { Result } from '../engine/result.ts'

/** A result as it is reported. */
export interface Reported extends Result {
  /** one sentence for people */
  message: string
  /** results with the same cause are one finding */
  cause?: string
}
