/** Turns judgements into results: the requirement's words beside what was seen. */
import { describe, evidenceOf } from '../peers/reply.ts'
import { type Requirement, specUrl, type Via } from '../spec/catalogue.ts'
import type { Revision } from '../spec/revision.ts'
import type { Judgement } from '../suite.ts'
import { excerptOf } from '../wire/excerpt.ts'
import type { Result } from './result.ts'
import { type Verdict, verdictOf } from './verdict.ts'

export interface ResultContext {
  role: 'server' | 'client'
  via: Via
  spec: Revision
  /** the command line that runs one scenario again */
  reproduce(scenario: string): string
}

export function judged(
  context: ResultContext,
  scenario: string,
  requirement: Requirement,
  judgement: Judgement<string>,
  durationMs: number,
  seenIn?: string,
): Result {
  const got = describe(judgement.got)
  const verdict = verdictOf(requirement, judgement.outcome, context.role)
  const frames = evidenceOf(judgement.got)
  return {
    ...common(
      context,
      scenario,
      judgement.claim,
      requirement,
      seenIn === undefined || seenIn === 'sanity' ? scenario : seenIn,
    ),
    ...(seenIn === undefined ? {} : { seenIn }),
    verdict,
    expected: judgement.expected,
    got,
    message: messageOf(verdict, judgement.expected, got),
    ...(verdict === 'fail' || verdict === 'warn' || verdict === 'info'
      ? { cause: causeKey(requirement.id, judgement.expected, got) }
      : {}),
    evidence: frames.map(frame => frame.seq),
    excerpt: verdict === 'pass' || verdict === 'skip' ? [] : excerptOf(frames),
    durationMs: Math.round(durationMs),
  }
}

function messageOf(verdict: Verdict, expected: string, got: string): string {
  if (verdict === 'pass') return `as expected: ${expected}`
  if (verdict === 'skip') return `does not apply: ${got}`
  return `expected ${expected}; got ${got}`
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
    got: '',
    message: reason,
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

/** Results with the same requirement and the same reason have one cause; ids and numbers in the reason vary. */
function causeKey(requirement: string, expected: string, got: string): string {
  const plain = (text: string): string =>
    text.replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi, '<uuid>').replace(/\d{3,}/g, '<n>')
  return `${requirement}|${plain(expected)}|${plain(got)}`
}

/** Reports list results by place, not by the order in which lanes came to them. */
export const byPlace = (a: Result, b: Result): number =>
  compare(a.area, b.area) ||
  compare(a.scenario, b.scenario) ||
  compare(a.requirement, b.requirement) ||
  compare(a.claim, b.claim)

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
