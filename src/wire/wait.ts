/** Bounded waiting. Timers are cleared, so that nothing keeps the process alive behind our back. */

export const sleep = (ms: number): Promise<void> =>
  new Promise(resolve => {
    setTimeout(resolve, ms)
  })

/** The promise's value, or `undefined` when it takes longer than `ms`. Never rejects by itself. */
export async function within<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>(resolve => {
    timer = setTimeout(() => resolve(undefined), ms)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
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
