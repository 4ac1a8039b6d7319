/** The timers of one client. When it ends they all end with it: many clients live in one process. */
import { clock as surroundingClock } from '../../wire/clock.ts'

export interface Clock {
  /** milliseconds, never going back */
  now(): number
  /** Returns the function that takes it back. */
  after(ms: number, act: () => void): () => void
  sleep(ms: number): Promise<void>
  /** The promise's value, or `undefined` when it takes longer. */
  within<T>(promise: Promise<T>, ms: number): Promise<T | undefined>
  /** From now on nothing happens any more. */
  stop(): void
}

/** What is thrown when a time is over goes to `crash`. */
export function createClock(crash: (problem: unknown) => void): Clock {
  const time = surroundingClock()
  const timers = new Set<() => void>()
  let stopped = false
  const after = (ms: number, act: () => void): (() => void) => {
    if (stopped) return () => {}
    const takeBack = time.after(ms, () => {
      timers.delete(takeBack)
      try {
        act()
      } catch (problem) {
        crash(problem)
      }
    })
    timers.add(takeBack)
    return () => {
      takeBack()
      timers.delete(takeBack)
    }
  }
  return {
    now: () => time.now(),
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
      for (const takeBack of timers) takeBack()
      timers.clear()
    },
  }
}
