/** The faults of one claim: each subject once with its worst judgement, so that a second faulty tool is not hidden by the first. */
import { describe, evidenceOf } from '../peers/reply.ts'
import type { Judgement, Kind, Outcome } from '../suite/judgement.ts'
import { excerptOf } from '../wire/excerpt.ts'
import { kindOf } from './kind.ts'
import { worse } from './verdict.ts'

/** One fault as it was seen. */
export interface FaultSeen {
  kind: Kind
  subject?: string
  outcome: 'bends' | 'breaks'
  expected: string
  /** what was seen instead, in a few words */
  actual: string
  /** frame numbers in the wire log */
  evidence: number[]
  /** the frames as text, for reports that do not read the log */
  excerpt: string[]
}

/** So many faulty subjects of one claim are kept; the others are counted. */
export const MAX_FAULTS = 20

export interface FaultsSeen {
  /** the worst first, else in the order in which they were seen */
  faults: FaultSeen[]
  /** further faulty subjects that are not kept */
  more: number
}

export function faultsIn(judgements: readonly Judgement<string>[]): FaultsSeen {
  const kept = new Map<string, Judgement<string>>()
  for (const judgement of judgements) {
    if (!isFault(judgement.outcome)) continue
    const key = faultKey(judgement)
    const known = kept.get(key)
    if (known === undefined || worse(judgement.outcome, known.outcome)) kept.set(key, judgement)
  }
  const all = [...kept.values()].sort(
    (a, b) => Number(worse(b.outcome, a.outcome)) - Number(worse(a.outcome, b.outcome)),
  )
  return { faults: all.slice(0, MAX_FAULTS).map(seenAs), more: Math.max(0, all.length - MAX_FAULTS) }
}

export const isFault = (outcome: Outcome): outcome is 'bends' | 'breaks' => outcome === 'bends' || outcome === 'breaks'

export const faultKey = (judgement: Judgement<string>): string =>
  `${kindOf(judgement)} ${judgement.fault.subject ?? ''}`

function seenAs(judgement: Judgement<string>): FaultSeen {
  const { subject } = judgement.fault
  const frames = evidenceOf(judgement.got)
  return {
    kind: kindOf(judgement),
    ...(subject === undefined ? {} : { subject }),
    outcome: judgement.outcome as 'bends' | 'breaks',
    expected: judgement.expected,
    actual: describe(judgement.got),
    evidence: frames.map(frame => frame.seq),
    excerpt: excerptOf(frames),
  }
}
