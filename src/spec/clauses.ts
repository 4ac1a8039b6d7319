/**
 * Which requirement of the catalogue speaks of which place of a message, so that a shape that is
 * wrong is reported under the clause that a reader would look for.
 */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Side } from './catalogue.ts'

export interface PlaceClause {
  /** which side sends the message */
  from: Side
  method: string
  /** as problems name it, without numbers: result.tools[].name; a star takes in all that is inside */
  at: string
  requirement: string
  /** the result, or the params of a message that the side sends by itself, that breaks it */
  broken: { readonly [member: string]: unknown }
}

const file = fileURLToPath(new URL('../../schema/2025-11-25/protocol/clauses.json', import.meta.url))

type Entries = Record<string, Omit<PlaceClause, 'from' | 'method'>[]>

export function loadPlaceClauses(): PlaceClause[] {
  const { clauses, clientClauses } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, Entries>
  const sentBy = (from: Side, entries: Entries = {}): PlaceClause[] =>
    Object.entries(entries).flatMap(([method, list]) => list.map(entry => ({ from, method, ...entry })))
  return [...sentBy('server', clauses), ...sentBy('client', clientClauses)]
}

/** True where the clause speaks of the place of a problem. */
export function speaksOf(clause: PlaceClause, method: string, place: string): boolean {
  if (clause.method !== method) return false
  const plain = place.replace(/\[\d+\]/g, '[]')
  const stem = clause.at.replace('*', '')
  return plain === stem || (stem !== clause.at && plain.startsWith(stem) && /^[.[]/.test(plain.slice(stem.length)))
}
