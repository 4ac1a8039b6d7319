/** Waiting for something that the client is to do: whoever waits looks again whenever something has changed. */
import { signal, within } from '../../wire/wait.ts'

export interface Watch {
  /** Resolves with the first value that `find` gives; without one when the time is over, or nothing more can come. */
  found<T>(find: () => T | undefined, withinMs: number): Promise<T | undefined>
  /** Something has changed that somebody may wait for. */
  stirred(): void
  /** Nothing more comes. */
  end(): void
  readonly isOver: boolean
  readonly over: Promise<undefined>
}

export function createWatch(): Watch {
  const watchers = new Set<() => void>()
  const over = signal<undefined>()
  const stirred = (): void => {
    for (const look of [...watchers]) look()
  }
  return {
    stirred,
    async found<T>(find: () => T | undefined, withinMs: number) {
      const now = find()
      if (now !== undefined || over.done) return now
      const seen = signal<T | undefined>()
      const look = (): void => {
        const value = find()
        if (value !== undefined || over.done) seen.resolve(value)
      }
      watchers.add(look)
      const value = await within(seen.promise, withinMs)
      watchers.delete(look)
      return value ?? find()
    },
    end() {
      over.resolve(undefined)
      stirred()
    },
    get isOver() {
      return over.done
    },
    over: over.promise,
  }
}
