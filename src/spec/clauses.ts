/**
 * Which requirement of the catalogue speaks of which place of a message, so that a shape that is
 * wrong is reported under the clause that a reader would look for.
 */
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Speaker } from './catalogue.ts'
import type { Problem, ProblemKind } from './problem.ts'
import { factsAbout, MAIN_REVISION, type Revision } from './revision.ts'

export interface PlaceClause {
  /** which side sends the message */
  from: Speaker
  method: string
  /** as problems name it, without numbers: result.tools[].name; a star takes in all that is inside */
  at: string
  requirement: string
  /** further requirements that the same problem breaks */
  also?: readonly string[]
  /** the only kinds of problems that it speaks of */
  kinds?: readonly ProblemKind[]
  /** a place beside which the member may be left out: it holds then, too */
  beside?: string
  /** the result, or the params of a message that the side sends by itself, that breaks it; a message without params where there is none */
  broken?: { readonly [member: string]: unknown }
  /** the kind of problem that it has there */
  shows: ProblemKind
  /** what it leads to where it only bends the clause */
  verdict?: 'warn'
}

/** They lie beside the catalogue whose requirements they name. */
const fileOf = (revision: Revision): string =>
  fileURLToPath(new URL(`../../schema/${factsAbout(revision).catalogue}/protocol/clauses.json`, import.meta.url))

type Entries = Record<string, Omit<PlaceClause, 'from' | 'method'>[]>

/** Those of the catalogue that holds the revision; none where nobody has written any. */
export function loadPlaceClauses(revision: Revision = MAIN_REVISION): PlaceClause[] {
  const file = fileOf(revision)
  if (!existsSync(file)) return []
  const { clauses, clientClauses } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, Entries>
  const sentBy = (from: Speaker, entries: Entries = {}): PlaceClause[] =>
    Object.entries(entries).flatMap(([method, list]) => list.map(entry => ({ from, method, ...entry })))
  return [...sentBy('server', clauses), ...sentBy('client', clientClauses)]
}

/** True where the clause speaks of the problem. */
export function speaksOf(
  clause: PlaceClause,
  method: string,
  { place, kind }: Pick<Problem, 'place' | 'kind'>,
): boolean {
  if (clause.method !== method || clause.kinds?.includes(kind) === false) return false
  const plain = withoutIndexes(place)
  const stem = clause.at.replace('*', '')
  return plain === stem || (stem !== clause.at && plain.startsWith(stem) && /^[.[]/.test(plain.slice(stem.length)))
}

/** The place as clauses name it, the same for each entry of a list. */
export const withoutIndexes = (place: string): string => place.replace(/\[\d+\]/g, '[]')
