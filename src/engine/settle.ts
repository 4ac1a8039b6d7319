/** Compares reds with what the repetition showed: confirmed is a fault that came again with the same kind and subject. */
import type { FaultSeen } from './faults.ts'
import { sameFault } from './identity.ts'
import type { Result } from './result.ts'
import { isRed } from './verdict.ts'

/** Marks what was seen again, and turns the rest into warnings; true where something did not repeat. */
export function settle(group: readonly Result[], again: readonly Result[]): boolean {
  let unstable = false
  for (const red of group) {
    const repeated = again.find(one => one.scenario === red.scenario && one.claim === red.claim)
    if (repeated !== undefined && isRed(repeated.verdict) && keepRepeated(red, repeated)) {
      red.confirmed = true
      continue
    }
    unstable = true
    red.confirmed = false
    red.verdict = 'warn'
    red.repeat =
      repeated === undefined
        ? { actual: 'not seen' }
        : {
            verdict: repeated.verdict,
            actual: repeated.actual === '' ? (repeated.reason ?? '') : repeated.actual,
            ...(repeated.kind === undefined ? {} : { kind: repeated.kind }),
          }
    red.evidence = [...red.evidence, ...(repeated?.evidence ?? [])]
  }
  return unstable
}

/** Puts a fault that came again in front and drops those that did not; false where none of them did. */
function keepRepeated(red: Result, repeated: Result): boolean {
  const before = faultsOf(red)
  const again = faultsOf(repeated)
  const kept = before.filter(fault => again.some(one => one.outcome === fault.outcome && sameFault(one, fault)))
  const [first, ...further] = kept.sort((a, b) => Number(b.outcome === 'breaks') - Number(a.outcome === 'breaks'))
  if (first?.outcome !== 'breaks') return false
  const { outcome: _outcome, ...fault } = first
  Object.assign(red, fault)
  if (red.furtherCount === undefined) return true
  red.further = further
  red.furtherCount -= before.length - kept.length
  return true
}

/** The faults of a red result; the main one breaks its claim, for it is red. */
function faultsOf({ kind, subject, expected, actual, evidence, excerpt, further = [] }: Result): FaultSeen[] {
  if (kind === undefined) return []
  const main = { kind, outcome: 'breaks' as const, expected, actual, evidence, excerpt }
  return [{ ...main, ...(subject === undefined ? {} : { subject }) }, ...further]
}
