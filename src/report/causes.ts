/**
 * One cause is reported once. Results have one cause where they are one identity (requirement, kind, subject), and
 * where they are one observation: equal kind and subject, seen in the same message of the target.
 */
import { identityKey, sameFault } from '../engine/identity.ts'
import type { Verdict } from '../engine/verdict.ts'
import type { Reported } from './reported.ts'

export interface Cause {
  /** the result that tells it best: a scenario's before a monitor's, for a scenario knows why it asked */
  first: Reported
  others: Reported[]
  /** the requirements that this one observation breaks */
  requirements: string[]
}

export function causesOf(results: readonly Reported[], verdict: Verdict): Cause[] {
  const groups: Reported[][] = []
  for (const result of results.filter(one => one.verdict === verdict)) {
    const joined = groups.filter(group => group.some(one => isOneCause(one, result)))
    const merged = [...joined.flat(), result]
    for (const group of joined) groups.splice(groups.indexOf(group), 1)
    groups.push(merged)
  }
  return groups.map(causeOf).sort((a, b) => results.indexOf(a.first) - results.indexOf(b.first))
}

function causeOf(group: readonly Reported[]): Cause {
  const [first, ...others] = [...group].sort((a, b) => Number(a.seenIn !== undefined) - Number(b.seenIn !== undefined))
  if (first === undefined) throw new Error('a cause has at least one result')
  return { first, others, requirements: [...new Set(group.map(one => one.requirement))] }
}

function isOneCause(a: Reported, b: Reported): boolean {
  if (a.via !== b.via) return false
  if (a.kind === undefined || b.kind === undefined) return a.requirement === b.requirement && a.message === b.message
  if (identityKey({ ...a, kind: a.kind }) === identityKey({ ...b, kind: b.kind })) return true
  // A monitor and a scenario see one fault of one requirement each in its own way.
  const isOneFault = sameFault({ ...a, kind: a.kind }, { ...b, kind: b.kind })
  return (isOneFault || isTwin(a, b)) && a.evidence.some(frame => b.evidence.includes(frame))
}

const isTwin = (a: Reported, b: Reported): boolean =>
  a.requirement === b.requirement && (a.seenIn === undefined) !== (b.seenIn === undefined)
