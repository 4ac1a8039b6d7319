/** What makes two faults the same one: requirement, kind and subject. Baselines, proofs and findings compare nothing else. */
import type { Kind } from '../suite/judgement.ts'

export interface Identity {
  requirement: string
  kind: Kind
  subject?: string
}

export const identityKey = ({ requirement, kind, subject }: Identity): string =>
  `${requirement} ${kind}${subject === undefined ? '' : ` ${subject}`}`

/** Equal in kind and subject: the same observation, whichever requirement it breaks. */
export const sameFault = (a: Omit<Identity, 'requirement'>, b: Omit<Identity, 'requirement'>): boolean =>
  a.kind === b.kind && a.subject === b.subject
