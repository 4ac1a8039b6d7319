/** Turns judgements into results: the requirement's words beside what was seen. */
import { describe, evidenceOf } from '../peers/reply.ts'
import { type Requirement, type Side, specUrl, type Via } from '../spec/catalogue.ts'
import type { Revision } from '../spec/revision.ts'
import type { Judgement } from '../suite/judgement.ts'
import { excerptOf } from '../wire/excerpt.ts'
import type { FaultsSeen } from './faults.ts'
import type { Result } from './result.ts'
import { SANITY } from './suite-id.ts'
import { type Verdict, verdictOf } from './verdict.ts'

export interface ResultContext {
  role: Side
  via: Via
  spec: Revision
  /** the command line that runs one scenario again */
  reproduce(scenario: string): string
}

/** What was judged about a claim: the judgement that counts, and every fault that was seen. */
export interface Judged extends FaultsSeen {
  worst: Judgement<string>
}

export function judged(
  context: ResultContext,
  scenario: string,
  requirement: Requirement,
  { worst, faults, more }: Judged,
  durationMs: number,
  seenIn?: string,
): Result {
  const verdict = verdictOf(requirement, worst.outcome, context.role)
  const rerun = seenIn === undefined || seenIn === SANITY ? scenario : seenIn
  const head = {
    ...common(context, scenario, worst.claim, requirement, rerun),
    ...(seenIn === undefined ? {} : { seenIn }),
    verdict,
    durationMs: Math.round(durationMs),
  }
  const [first, ...further] = faults
  if (first !== undefined) {
    const { outcome: _outcome, ...fault } = first
    const furtherCount = further.length + more
    return { ...head, ...fault, ...(furtherCount === 0 ? {} : { further, furtherCount }) }
  }
  const frames = evidenceOf(worst.got)
  const actual = describe(worst.got)
  return {
    ...head,
    expected: worst.expected,
    actual,
    ...(verdict === 'skip' ? { reason: actual } : {}),
    evidence: frames.map(frame => frame.seq),
    excerpt: verdict === 'pass' || verdict === 'skip' ? [] : excerptOf(frames),
  }
}

/** A claim without a judgement, and why. */
export function unjudged(
  context: ResultContext,
  scenario: string,
  claim: string,
  requirement: Requirement,
  verdict: Extract<Verdict, 'skip' | 'untested' | 'error'>,
  reason: string,
): Result {
  return {
    ...common(context, scenario, claim, requirement, scenario),
    verdict,
    expected: '',
    actual: '',
    reason,
    evidence: [],
    excerpt: [],
    durationMs: 0,
  }
}

function common(context: ResultContext, scenario: string, claim: string, requirement: Requirement, rerun: string) {
  const url = specUrl(requirement, context.spec)
  return {
    scenario,
    claim,
    requirement: requirement.id,
    area: requirement.area,
    role: context.role,
    via: context.via,
    spec: context.spec,
    level: requirement.level,
    summary: requirement.summary,
    ...(url === undefined ? {} : { specUrl: url }),
    reproduce: context.reproduce(rerun),
  }
}

/** Reports list results by place, not by the order in which lanes came to them. */
export const byPlace = (a: Result, b: Result): number =>
  compare(a.area, b.area) ||
  compare(a.scenario, b.scenario) ||
  compare(a.requirement, b.requirement) ||
  compare(a.claim, b.claim)

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
