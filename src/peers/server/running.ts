/** The requests that a server is working on, so that they can be cancelled (basic/utilities/cancellation). */
import { idKey, type Json } from '../../wire/json-rpc.ts'
import { signal } from '../../wire/wait.ts'

/** `C` is what tells of the cancellation. */
export interface RunningRequest<C> {
  readonly cancelled: Promise<C>
  readonly isCancelled: boolean
  /** Calls back when it is cancelled. Returns the function that ends that. */
  onCancel(see: () => void): () => void
  /** It is over: nothing can cancel it any more. */
  end(): void
}

export interface Running<C> {
  start(id: Json | undefined): RunningRequest<C>
  /** False where no such request is worked on. */
  cancel(id: Json | undefined, by: C): boolean
}

export function createRunning<C>(): Running<C> {
  const running = new Map<string, { cancel(by: C): void }>()
  return {
    start(id) {
      const key = idKey(id)
      const cancelled = signal<C>()
      const watchers = new Set<() => void>()
      const entry = {
        cancel(by: C) {
          cancelled.resolve(by)
          for (const see of [...watchers]) see()
        },
      }
      running.set(key, entry)
      return {
        cancelled: cancelled.promise,
        get isCancelled() {
          return cancelled.done
        },
        onCancel(see) {
          watchers.add(see)
          return () => watchers.delete(see)
        },
        end() {
          if (running.get(key) === entry) running.delete(key)
        },
      }
    },
    cancel(id, by) {
      const entry = running.get(idKey(id))
      entry?.cancel(by)
      return entry !== undefined
    },
  }
}
