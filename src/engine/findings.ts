/** What the monitors of a run judged, claim by claim: the judgement that counts, and each faulty subject once. */
import { describe, evidenceOf } from '../peers/reply.ts'
import type { Revision } from '../spec/revision.ts'
import type { Judgement } from '../suite/judgement.ts'
import type { Frame } from '../wire/log.ts'
import { type FaultsSeen, faultKey, faultsIn, isFault } from './faults.ts'
import { kindOf } from './kind.ts'
import { worse } from './verdict.ts'

export interface Observed {
  monitor: string
  claim: string
  requirement: string
  spec: Revision
  /** the scenario during which the first such evidence came */
  scenario: string | undefined
  worst: Judgement<string>
  faults: FaultsSeen['faults']
  more: number
}

export type Place = Omit<Observed, 'worst' | 'faults' | 'more'>

export interface Findings {
  add(place: Place, judgement: Judgement<string>): void
  has(monitor: string, claim: string): boolean
  all(): Observed[]
  clear(): void
}

/** Judgements of one claim with different subjects that are kept in memory; a monitor may see thousands. */
const MAX_KEPT = 200

export function createFindings(): Findings {
  const found = new Map<string, { place: Place; worst: Judgement<string>; faulty: Map<string, Judgement<string>> }>()
  return {
    add(place, judgement) {
      const key = `${place.monitor} ${place.claim}`
      const known = found.get(key)
      const isWorse = known === undefined || worse(judgement.outcome, known.worst.outcome)
      const subject = isFault(judgement.outcome) ? faultKey(judgement) : undefined
      const twin = subject === undefined ? undefined : known?.faulty.get(subject)
      const isNew =
        subject !== undefined &&
        (twin === undefined ? (known?.faulty.size ?? 0) < MAX_KEPT : worse(judgement.outcome, twin.outcome))
      if (!isWorse && !isNew) return
      const kept = slim(judgement)
      const entry = isWorse ? { place, worst: kept, faulty: known?.faulty ?? new Map() } : known
      if (subject !== undefined && isNew) entry.faulty.set(subject, kept)
      found.set(key, entry)
    },
    clear: () => found.clear(),
    has: (monitor, claim) => found.has(`${monitor} ${claim}`),
    all: () =>
      [...found.values()].map(({ place, worst, faulty }) => ({ ...place, worst, ...faultsIn([...faulty.values()]) })),
  }
}

const KEPT_CHARS = 2_000

/** Evidence is kept to the end of the run; a frame may hold megabytes. */
function slim(judgement: Judgement<string>): Judgement<string> {
  const { got } = judgement
  return {
    ...judgement,
    fault: isFault(judgement.outcome) ? { ...judgement.fault, kind: kindOf(judgement) } : judgement.fault,
    got: { text: describe(got), frames: evidenceOf(got).map(slimFrame) },
  }
}

function slimFrame(frame: Frame): Frame {
  if (frame.kind !== 'message') return frame
  const { json: _json, ...rest } = frame
  return { ...rest, text: rest.text.slice(0, KEPT_CHARS) }
}
