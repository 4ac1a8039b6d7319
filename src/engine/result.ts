/** The values that a run produces. Sentences are made of them in report/. */
import type { Level, Side, Via } from '../spec/catalogue.ts'
import type { Revision } from '../spec/revision.ts'
import type { Kind } from '../suite/judgement.ts'
import type { JsonObject } from '../wire/json-rpc.ts'
import type { FaultSeen } from './faults.ts'
import type { Verdict } from './verdict.ts'

export interface Result {
  scenario: string
  claim: string
  /** monitors: the scenario during which the evidence came */
  seenIn?: string
  requirement: string
  area: string
  role: Side
  via: Via
  /** the revision by which it was judged: the negotiated one */
  spec: Revision
  level: Level
  verdict: Verdict
  /** the requirement's sentence */
  summary: string
  /** what is wrong, where something is: with the requirement, the identity of the fault */
  kind?: Kind
  /** the tool, method, header or place that it is about; the same from run to run */
  subject?: string
  /** empty where the claim was not judged */
  expected: string
  actual: string
  /** why the claim was not judged, or does not apply */
  reason?: string
  /** further faulty subjects of the same claim, at most so many as are kept */
  further?: FaultSeen[]
  /** how many further ones there are in all */
  furtherCount?: number
  specUrl?: string
  /** a red that was seen again on a fresh session, alone */
  confirmed?: boolean
  /** what the repetition showed instead, where it did not show the same fault */
  repeat?: { kind?: Kind; verdict?: Verdict; actual: string }
  /** frame numbers in the wire log */
  evidence: number[]
  /** the frames as text, for reports that do not read the log */
  excerpt: string[]
  durationMs: number
  reproduce: string
}

export interface TargetFacts {
  role: Side
  via: Via
  /** the command line, or the URL */
  at: string
  name?: string
  version?: string
  protocolVersion?: string
  capabilities?: JsonObject
}

/** Why a run has no or not all verdicts. */
export interface Trouble {
  kind: 'unreachable' | 'silent' | 'refused' | 'died' | 'authorization' | 'not-mcp' | 'malformed' | 'version-refused'
  /** one sentence: what was wrong and what to do */
  sentence: string
}

export interface RunOutcome {
  role: Side
  targets: TargetFacts[]
  results: Result[]
  trouble?: Trouble
  interrupted: boolean
  /** reds that did not repeat: the same run may differ next time */
  unstable: boolean
  processStarts: number
  notes: string[]
}
