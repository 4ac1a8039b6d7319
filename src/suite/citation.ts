import type { Revision } from '../spec/revision.ts'

/** An id of the catalogue under schema/. */
export type RequirementId = string

/** A requirement, or one a revision where the clause changed its name. */
export type Citation = RequirementId | Partial<Record<Revision, RequirementId>>
