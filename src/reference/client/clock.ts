/** The timers of one client. When it ends they all end with it: many clients live in one process. */
export interface Clock {
  /** Returns the function that takes it back. */
  after(ms: number, act: () => void): () => void
  sleep(ms: number): Promise<void>
  /** The promise's value, or `undefined` when it takes longer. */
  within<T>(promise: Promise<T>, ms: number): Promise<T | undefined>
  /** From now on nothing happens any more. */
  stop(): void
}

/** A longer timer fires at once: they count in 32 bits. */
const LONGEST_MS = 2 ** 31 - 1

/** What is thrown when a time is over goes to `crash`. */
export function createClock(crash: (problem: unknown) => void): Clock {
  const timers = new Set<NodeJS.Timeout>()
  let stopped = false
  const after = (ms: number, act: () => void): (() => void) => {
    if (stopped) return () => {}
    const timer = setTimeout(
      () => {
        timers.delete(timer)
        try {
          act()
        } catch (problem) {
          crash(problem)
        }
      },
      Math.min(ms, LONGEST_MS),
    )
    timers.add(timer)
    return () => {
      clearTimeout(timer)
      timers.delete(timer)
    }
  }
  return {
    after,
    sleep: ms =>
      new Promise(resolve => {
        after(ms, resolve)
      }),
    async within(promise, ms) {
      let takeBack = (): void => {}
      const late = new Promise<undefined>(resolve => {
        takeBack = after(ms, () => resolve(undefined))
      })
      try {
        return await Promise.race([promise, late])
      } finally {
        takeBack()
      }
    },
    stop() {
      stopped = true
      for (const timer of timers) clearTimeout(timer)
      timers.clear()
    },
  }
}
