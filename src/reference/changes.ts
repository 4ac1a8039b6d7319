/** How a fault is put into the reference: policies exchanged, and single rules of the sets of rules among them. */

import { createEventStore } from '../peers/server/event-store.ts'
import { pagesOf } from '../peers/server/pages.ts'
import { defaultPolicies, type Policies } from './policies.ts'

/** Sets of rules: a change names those that differ. */
type RuleSet = 'tasks' | 'clientTasks' | 'stateless'

export type PolicyChanges = {
  [K in keyof Policies]?: K extends RuleSet ? Partial<Policies[K]> : Policies[K]
}

/** Parts of the reference that a change can be made of; suites get them handed, so that a user's run never loads them. */
export interface ReferenceParts {
  createEventStore: typeof createEventStore
  pagesOf: typeof pagesOf
}

export const parts: ReferenceParts = { createEventStore, pagesOf }

/** The correct policies with the changes in them. */
export function changed(changes: PolicyChanges | ((reference: ReferenceParts) => PolicyChanges) = {}): Policies {
  const correct = defaultPolicies()
  const { tasks, clientTasks, stateless, ...others } = typeof changes === 'function' ? changes(parts) : changes
  return {
    ...correct,
    ...others,
    tasks: { ...correct.tasks, ...tasks },
    clientTasks: { ...correct.clientTasks, ...clientTasks },
    stateless: { ...correct.stateless, ...stateless },
  }
}
