/**
 * What the roles of a target differ in: how it is reached first, which scenarios share a start of it, how a unit is
 * played, and how a red is seen again. The runner knows nothing else of them.
 */
import type { Side } from '../spec/catalogue.ts'
import type { Revision } from '../spec/revision.ts'
import type { JsonObject } from '../wire/json-rpc.ts'
import type { WireLog } from '../wire/log.ts'
import type { SuiteHead } from './discover.ts'
import type { Listen } from './events.ts'
import type { NamedMonitor, Observer } from './observe.ts'
import type { Planned } from './plan.ts'
import type { Result, RunOutcome } from './result.ts'
import type { ResultContext } from './results.ts'
import type { Selection } from './select.ts'

/** What every run is told, whatever the role. */
export interface RunOptions {
  /** the command line or URL, for messages */
  at: string
  /** in front of the names of its sessions in the log, where several runs write into one */
  label?: string
  /** what we offer; `demanded`: another answer ends the run */
  revision: Revision
  revisionIs: 'offered' | 'demanded'
  /** how much may go on side by side at most; undefined: as much as the target bears */
  jobs?: number
  bail: boolean
  selection: Selection
  heads: readonly SuiteHead[]
  log: WireLog
  signal: AbortSignal
  listen: Listen
  reproduce(scenario: string): string
}

/** One run, as its driver sees it. */
export interface Run {
  options: RunOptions
  /** by which revision and over which transport is judged; the first conversation settles the revision */
  context: ResultContext
  monitors: readonly NamedMonitor[]
  observer: Observer
}

/** Scenarios that are played together, in one conversation or one start of the target. */
export interface Unit {
  members: readonly Planned[]
  /**
   * What may go on beside it: anything; where it may bring the target down, others that may, too; or nothing, because
   * timing matters.
   */
  company: 'any' | 'harmful' | 'none'
}

/** What the first conversation settled. */
export interface Begun {
  /** by which is judged */
  revision: Revision
  capabilities: JsonObject
  /** Only these can be judged, the others not for that reason. */
  only?: { reason: string; judges(planned: Planned): boolean | Promise<boolean> }
}

export interface Played {
  /** for each member of the unit */
  results: Result[][]
  /** the target cannot be reached any more, and why */
  lost?: string
  /** Something went wrong, and it may have been the company's doing: what counts is what it shows when it is alone. */
  doubtful?: true
}

export interface RoleDriver<U extends Unit = Unit> {
  readonly role: Side
  /** Reaches the target for the first time; writes who it is, and what is wrong with it, into the outcome. */
  begin(outcome: RunOutcome): Promise<Begun>
  /** Cuts the plan into units, those that keep others waiting first. */
  units(planned: readonly Planned[]): Promise<U[]>
  /** How many units may be played side by side now. */
  limit(): number
  /** Whether all that the unit needs is free; asked right before it is played. */
  isReady?(unit: U): boolean
  play(unit: U): Promise<Played>
  /** Is it still there? */
  end(outcome: RunOutcome): Promise<void>
  /** Nothing is planned any more: no more will be opened for it. Ends what is open. */
  close(): Promise<void>
  /** Plays the scenario again, alone, on a target of its own, and says what was seen; `blamed` are its reds. */
  replay(scenario: string, blamed: readonly Result[]): Promise<Result[]>
  /** Ends every wait at once. */
  interrupt(): void
  /** Processes of the target that were started so far. */
  readonly starts: number
}

export type DriverOf = (run: Run) => RoleDriver
