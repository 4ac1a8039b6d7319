/** Which family speaks a revision: the only place that decides it. */
import { type FamilyName, factsAbout, REVISIONS, type Revision } from '../spec/revision.ts'
import type { Family } from './family.ts'
import { stateful } from './stateful.ts'
import { stateless } from './stateless.ts'

const FAMILIES: Record<FamilyName, Family> = { stateful, stateless }

export const familyOf = (revision: Revision): Family => FAMILIES[factsAbout(revision).family]

/** The newest revision of each other family: what to try where a target refuses to be opened in this one. */
export function alternativesTo(revision: Revision): Revision[] {
  const own = factsAbout(revision).family
  return Object.keys(FAMILIES)
    .filter(name => name !== own)
    .flatMap(name => REVISIONS.filter(other => factsAbout(other).family === name).at(-1) ?? [])
}
