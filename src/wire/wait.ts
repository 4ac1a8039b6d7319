/**
 * Bounded waiting. Timers are cleared, so that nothing keeps the process alive behind our back. When
 * a time is over, what has arrived meanwhile is still read before anybody concludes that nothing
 * came: on a loaded machine a timer may fire before the input that was there first is looked at.
 */
import { clock } from './clock.ts'

/** Turns of the event loop in which input is read after a timer: pipes and sockets, and what they pass on. */
const TURNS = 3

async function readInput(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn += 1) await new Promise(resolve => setImmediate(resolve))
}

export async function sleep(ms: number): Promise<void> {
  await new Promise<void>(resolve => {
    clock().after(ms, resolve)
  })
  await readInput()
}

/** The promise's value, or `undefined` when it takes longer than `ms`. Never rejects by itself. */
export async function within<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  let takeBack = (): void => {}
  const late = new Promise<undefined>(resolve => {
    takeBack = clock().after(ms, () => void readInput().then(() => resolve(undefined)))
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    takeBack()
  }
}

export interface Signal<T> {
  readonly promise: Promise<T>
  readonly done: boolean
  resolve(value: T): void
}

/** A promise that is resolved from outside, once. */
export function signal<T>(): Signal<T> {
  let settle: (value: T) => void = () => {}
  let done = false
  const promise = new Promise<T>(resolve => {
    settle = resolve
  })
  return {
    promise,
    get done() {
      return done
    },
    resolve(value) {
      done = true
      settle(value)
    },
  }
}
