/**
 * The test of the tests: each suite runs against the reference, where all its claims must hold, and
 * once with each defect, which must turn exactly its claim red.
 */
import { headOf, loadSuite, type Suite, type SuiteHead } from '../engine/discover.ts'
import { worstOf } from '../engine/execute.ts'
import { type FaultsSeen, faultsIn } from '../engine/faults.ts'
import type { NamedMonitor, Observed } from '../engine/observe.ts'
import { claimsOf, type PlannedClaim } from '../engine/plan.ts'
import { type Verdict, verdictOf } from '../engine/verdict.ts'
import { describe } from '../peers/reply.ts'
import { loadCatalogue, type Side, type Via } from '../spec/catalogue.ts'
import { MAIN_REVISION, type Revision } from '../spec/revision.ts'
import type { Judgement, Kind } from '../suite/judgement.ts'
import type { AnyMonitor } from '../suite/monitor-definition.ts'
import { type Case, casesOf, type Driven } from './cases.ts'
import { driveClient } from './drive-client.ts'
import { driveServer } from './drive-server.ts'

export interface Proof {
  suite: string
  side: Side
  via: Via
  spec: Revision
  /** undefined: the run against the correct reference, or against a legal variant of it */
  defect: string | undefined
  /** the claim that the defect is to turn red, with its requirement */
  claim?: string
  requirement?: string
  /** what the claim turned to, and the kinds of its faults */
  verdict?: Verdict
  kinds?: Kind[]
  /** empty where the proof succeeded */
  problems: string[]
}

/** All proofs of a suite, lazily: what each of them is, and the function that runs it. */
export async function proofsOf(
  id: string,
  monitors: readonly NamedMonitor[],
): Promise<{ title: string; run(): Promise<Proof> }[]> {
  const suite = await loadSuite(id)
  const head = headOf(id, suite)
  return casesOf(head, suite).map(one => ({
    title: `${one.via}${one.spec === MAIN_REVISION ? '' : ` ${one.spec}`}: ${one.named ?? 'holds on the reference'}`,
    run: () => prove(head, suite, one, monitors),
  }))
}

async function prove(head: SuiteHead, suite: Suite, one: Case, monitors: readonly NamedMonitor[]): Promise<Proof> {
  const driver = suite.kind === 'monitor' ? await loadSuite(one.on ?? '') : suite
  const ofSide = monitors.filter(({ monitor }) => (monitor.sides ?? ['server']).includes(one.side))
  const watching = suite.kind === 'monitor' ? [{ id: head.id, monitor: suite }] : one.fault === undefined ? ofSide : []
  const { judgements, observed, error } = await drive(one.on ?? head.id, driver, one, watching)
  const problems: string[] = error === undefined ? [] : [`harness error: ${error.stack ?? error.message}`]
  const claims = claimsOf(head, one.side, one.via, one.spec)
  const seen: Seen[] = suite.kind === 'monitor' ? observed : seenIn(judgements)
  if (one.breaks === undefined) {
    problems.push(...mustHold(claims, seen, one))
    if (suite.kind !== 'monitor') problems.push(...quiet(observed, one.side))
  } else {
    problems.push(...mustBreak(claims, seen, one))
  }
  const requirement = claims.find(({ claim }) => claim === one.breaks)?.requirement
  const broken = seen.find(({ claim }) => claim === one.breaks)
  return {
    suite: head.id,
    side: one.side,
    via: one.via,
    spec: one.spec,
    defect: one.breaks === undefined ? undefined : one.named,
    ...(one.breaks === undefined ? {} : { claim: one.breaks }),
    ...(requirement === undefined ? {} : { requirement: requirement.id }),
    ...(requirement === undefined || broken === undefined
      ? {}
      : {
          verdict: verdictOf(requirement, broken.worst.outcome, one.side),
          kinds: broken.faults.map(fault => fault.kind),
        }),
    problems,
  }
}

const drive = (id: string, suite: Suite, one: Case, monitors: readonly NamedMonitor[]): Promise<Driven> => {
  if (suite.kind === 'server-scenario') return driveServer(id, suite, one, monitors)
  if (suite.kind === 'client-scenario') return driveClient(id, suite, one, monitors)
  throw new Error(`${id} is no scenario: a monitor is driven by one`)
}

/** On the reference each claim is judged and holds; a variant may leave some of them inapplicable. */
function mustHold(claims: readonly PlannedClaim[], seen: readonly Seen[], one: Case): string[] {
  return claims.flatMap(({ claim }) => {
    const worst = seen.find(it => it.claim === claim)?.worst
    const strict = one.fault === undefined ? one.excused?.includes(claim) !== true : one.shows?.includes(claim) === true
    if (worst === undefined) return strict ? [`claim ${claim} was never judged`] : []
    if (worst.outcome === 'holds' || (worst.outcome === 'n/a' && !strict)) return []
    if (worst.outcome === 'bends' && one.bends?.includes(claim) === true) return []
    return [`claim ${claim} ${worst.outcome}: expected ${worst.expected}, got ${describe(worst.got)}`]
  })
}

function quiet(observed: readonly Observed[], side: Side): string[] {
  return observed.flatMap(one => {
    const verdict = verdictOf(loadCatalogue(one.spec).get(one.requirement), one.worst.outcome, side)
    if (verdict !== 'fail' && verdict !== 'warn') return []
    return [`${one.monitor} ${one.claim}: expected ${one.worst.expected}, got ${describe(one.worst.got)}`]
  })
}

/** The claim turns to the verdict that the defect declares, for the kind that it declares; no other claim turns red. */
function mustBreak(claims: readonly PlannedClaim[], seen: readonly Seen[], one: Case): string[] {
  return claims.flatMap(({ claim, requirement }) => {
    const found = seen.find(it => it.claim === claim)
    const main = found?.faults[0]
    if (claim === one.breaks) {
      if (found === undefined || main === undefined)
        return [`claim ${claim} did not turn red: ${found === undefined ? 'never judged' : describe(found.worst.got)}`]
      const verdict = verdictOf(requirement, found.worst.outcome, one.side)
      const declared = one.verdict ?? verdictOf(requirement, 'breaks', one.side)
      const kinds = [...new Set(found.faults.map(fault => fault.kind))]
      return [
        ...(one.faultKind === undefined || verdict === declared
          ? []
          : [`claim ${claim} leads to ${verdict}; the defect declares ${declared}`]),
        ...(one.faultKind === undefined || kinds.includes(one.faultKind)
          ? []
          : [`claim ${claim} is of the kind ${kinds.join(', ')}; the defect declares ${one.faultKind}`]),
      ]
    }
    if (main === undefined || one.also?.includes(claim) === true) return []
    return [`claim ${claim} turned red, too: expected ${main.expected}, got ${main.actual}`]
  })
}

/** What was judged about one claim. */
interface Seen extends FaultsSeen {
  claim: string
  worst: Judgement<string>
}

function seenIn(judgements: readonly Judgement<string>[]): Seen[] {
  return [...new Set(judgements.map(({ claim }) => claim))].flatMap(claim => {
    const own = judgements.filter(judgement => judgement.claim === claim)
    const worst = worstOf(own, claim)
    return worst === undefined ? [] : [{ claim, worst, ...faultsIn(own) }]
  })
}

/** All monitors, for watching the runs against the correct reference. */
export async function loadMonitors(ids: readonly string[]): Promise<NamedMonitor[]> {
  const found: NamedMonitor[] = []
  for (const id of ids) {
    const suite = await loadSuite(id)
    if (suite.kind === 'monitor') found.push({ id, monitor: suite as AnyMonitor })
  }
  return found
}
