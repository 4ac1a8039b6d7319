/** From judgement and requirement to verdict: the table of the design, in one place. */
import { gradeOf, type Requirement, type Side } from '../spec/catalogue.ts'
import type { Outcome } from '../suite/judgement.ts'

/** info and warn are visible but not red; skip does not apply; untested was never judged; error is our own fault. */
export type Verdict = 'pass' | 'fail' | 'warn' | 'info' | 'skip' | 'untested' | 'error'

export const VERDICTS: readonly Verdict[] = ['pass', 'fail', 'warn', 'info', 'skip', 'untested', 'error']

const TABLE: Record<'MUST' | 'SHOULD' | 'MAY' | 'ROBUST', Record<'holds' | 'bends' | 'breaks', Verdict>> = {
  MUST: { holds: 'pass', bends: 'warn', breaks: 'fail' },
  SHOULD: { holds: 'pass', bends: 'info', breaks: 'warn' },
  // MAY: absence passes; what is present with a wrong type breaks the schema, which is a MUST.
  MAY: { holds: 'pass', bends: 'info', breaks: 'fail' },
  // Robustness is our own area: at most a warning, but for a crash on legal input (`cap` absent, grade breaks).
  ROBUST: { holds: 'pass', bends: 'warn', breaks: 'warn' },
}

const SEVERITY: readonly Verdict[] = ['pass', 'info', 'warn', 'fail']

export function verdictOf(requirement: Requirement, outcome: Outcome, side: Side): Verdict {
  if (outcome === 'n/a') return 'skip'
  const level = requirement.level.replace(' NOT', '') as keyof typeof TABLE
  // A robustness entry of grade `breaks` is about a crash or loss on legal input.
  const row =
    level === 'ROBUST' && gradeOf(requirement, side) === 'breaks'
      ? { ...TABLE.ROBUST, breaks: 'fail' as const }
      : TABLE[level]
  return limited(row[outcome], ceiling(requirement, side))
}

/** The hardest verdict that the entry allows: by its cap, else by its grade. */
function ceiling(requirement: Requirement, side: Side): Verdict {
  if (requirement.cap !== undefined) return requirement.cap
  switch (gradeOf(requirement, side)) {
    case 'breaks':
      return 'fail'
    case 'bends':
      return 'warn'
    default:
      return 'info'
  }
}

const limited = (verdict: Verdict, limit: Verdict): Verdict =>
  SEVERITY.indexOf(verdict) > SEVERITY.indexOf(limit) ? limit : verdict

const RANK: Record<Outcome, number> = { 'n/a': 0, holds: 1, bends: 2, breaks: 3 }

/** Several judgements of one claim: the worst counts. */
export const worse = (a: Outcome, b: Outcome): boolean => RANK[a] > RANK[b]

export const isRed = (verdict: Verdict): boolean => verdict === 'fail'
