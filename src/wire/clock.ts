/**
 * The time that a conversation lives in. Everything that waits or looks at the time asks `clock()`: a run has the clock on
 * the wall, a proof has one of its own, which goes on only when nothing is under way (`prove/proof-clock.ts`).
 */
import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks'

export interface Clock {
  /** milliseconds, never going back; only differences mean something */
  now(): number
  /** milliseconds since 1970 */
  date(): number
  /** Returns the function that takes it back. `idle`: for this alone the process does not have to live on. */
  after(ms: number, act: () => void, how?: 'idle'): () => void
}

/** A longer timer fires at once: they count in 32 bits. */
const LONGEST_MS = 2 ** 31 - 1

export const wallClock: Clock = {
  now: () => performance.now(),
  date: () => Date.now(),
  after(ms, act, how) {
    const timer = setTimeout(act, Math.min(ms, LONGEST_MS))
    if (how === 'idle') timer.unref()
    return () => clearTimeout(timer)
  },
}

const given = new AsyncLocalStorage<Clock>()
let otherwise: () => Clock = () => wallClock

/** The clock of whoever is calling. */
export const clock = (): Clock => given.getStore() ?? otherwise()

/** All that `act` does, and all that comes of it, lives by `own`. */
export const withClock = <T>(own: Clock, act: () => T): T => given.run(own, act)

/** For handlers of a socket that a server accepted: Node calls them without the surroundings in which the server began. */
export const keepClock = <Args extends unknown[], T>(act: (...args: Args) => T): ((...args: Args) => T) =>
  AsyncResource.bind(act)

/** From now on it is a fault of ours to wait without a clock that was given: a process of proofs finds out what escapes them. */
export function demandClocks(): void {
  otherwise = () => {
    throw new Error('somebody waits outside the clock of its proof: bind its handler with keepClock')
  }
}
