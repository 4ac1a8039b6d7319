/** The pages that the user has agreed to open, until the server says that their interaction is over. */
import { type Signal, signal } from '../../wire/wait.ts'

export interface Interactions {
  await(elicitationId: string): void
  /** Those that are not over. */
  readonly waiting: readonly string[]
  end(elicitationId: string): void
  /** Resolves when all of them are over. */
  over(elicitationIds: readonly string[]): Promise<void>
}

export function createInteractions(): Interactions {
  const open = new Map<string, Signal<void>>()
  return {
    await(elicitationId) {
      if (!open.has(elicitationId)) open.set(elicitationId, signal())
    },
    get waiting() {
      return [...open.keys()]
    },
    end(elicitationId) {
      open.get(elicitationId)?.resolve()
      open.delete(elicitationId)
    },
    async over(elicitationIds) {
      await Promise.all(elicitationIds.map(id => open.get(id)?.promise))
    },
  }
}
