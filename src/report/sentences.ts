/** The sentences of the report: made here, of what the engine has as values. */
import { MAX_FAULTS } from '../engine/faults.ts'
import type { Result } from '../engine/result.ts'

/** What a result says, in one sentence. */
export function sentenceOf(result: Result): string {
  const { verdict, expected, actual, reason = '', repeat } = result
  switch (verdict) {
    case 'pass':
      return `as expected: ${expected}`
    case 'skip':
      return actual === '' ? reason : `does not apply: ${reason}`
    case 'untested':
    case 'error':
      return reason
    default: {
      const fault = `expected ${expected}; got ${actual}`
      return repeat === undefined ? fault : `not reproducible: ${fault}; on a fresh session alone: ${repeatOf(repeat)}`
    }
  }
}

function repeatOf({ kind, actual }: NonNullable<Result['repeat']>): string {
  return kind === undefined ? actual : `${kind}, ${actual}`
}

/** `wrong-type at tools/list`: the fault without the requirement. */
export const faultOf = ({ kind, subject }: Pick<Result, 'kind' | 'subject'>): string =>
  kind === undefined ? '' : subject === undefined ? kind : `${kind}: ${subject}`

/** Further faulty subjects by name, and how many are not named. */
export function furtherOf({ further = [], furtherCount = 0 }: Result): string | undefined {
  if (furtherCount === 0) return undefined
  const shown = 5
  const names = further.slice(0, shown).map(faultOf)
  const rest = furtherCount - names.length
  const kept = furtherCount > MAX_FAULTS ? ', not all of them kept' : ''
  return `${names.join(', ')}${rest === 0 ? '' : ` and ${rest} more`}${kept}`
}
