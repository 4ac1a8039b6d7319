/**
 * How much a target bears: as many conversations side by side as leave its answers about as quick as they were at the
 * beginning. Most scenarios wait rather than work, so the number of cores says little.
 */

export interface Bearing {
  /** How long a plain answer took, in milliseconds. */
  saw(answerMs: number): void
  readonly limit: number
}

/** A quick target is not slowed down by a few milliseconds that the machine takes. */
const SLACK_MS = 25
/** An answer that takes so many times as long as at the beginning shows a target that has enough to do. */
const STRAINED = 6

export function createBearing(least: number, most: number): Bearing {
  let quickest = Number.POSITIVE_INFINITY
  let limit = Math.min(most, Math.max(least, Math.ceil((least + most) / 2)))
  return {
    saw(answerMs) {
      quickest = Math.min(quickest, answerMs)
      const isStrained = answerMs > quickest * STRAINED + SLACK_MS
      limit = isStrained ? Math.max(least, limit - 1) : Math.min(most, limit + 1)
    },
    get limit() {
      return limit
    },
  }
}
