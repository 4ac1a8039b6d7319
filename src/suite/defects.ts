/** Faults that are put into the correct peers of ours, to show that each claim can fail. */

import type { PolicyChanges, ReferenceParts } from '../reference/changes.ts'
import type { Tamper } from '../reference/outgoing.ts'
import type { Via } from '../spec/catalogue.ts'
import type { Revision } from '../spec/revision.ts'
import type { Kind } from './judgement.ts'

export interface DefectHead<C extends string> {
  /** the fault in a few words */
  named: string
  breaks: C
  /** the kind that the claim turns red with; by transport where it shows in two ways */
  kind: Kind | Record<Via, Kind>
  /** the verdict that it leads to, where the claim only bends, or is not red by its grade */
  verdict?: 'warn' | 'info'
  /** further claims that this fault turns red, inevitably */
  also?: C[]
  /** the only transport where the fault can be put */
  via?: Via
  /** the revision to negotiate for it, where it is not the main one */
  spec?: Revision
}

/**
 * Policies of the reference that are exchanged; of a set of rules (`tasks`, `clientTasks`) those that are given. A
 * function makes them anew for each proof, for those that remember something or are made of parts of the reference.
 */
export type Replacement = PolicyChanges | ((reference: ReferenceParts) => PolicyChanges)
export type ServerFault = { tamper: Tamper } | { replace: Replacement } | { program: string }
export type Defect<C extends string> = DefectHead<C> & ServerFault

/** A legal variant of the reference that must stay green: the proof of a tolerance. */
export interface VariantHead<C extends string> {
  named: string
  via?: Via
  spec?: Revision
  /** claims that do not apply to the reference itself, and hold here */
  shows?: C[]
  /** claims that it bends: tolerated, but not without a word */
  bends?: C[]
}

export type Variant<C extends string> = VariantHead<C> & ServerFault
