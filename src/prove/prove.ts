/**
 * The test of the tests: each suite runs against the reference, where all its claims must hold, and
 * once with each defect, which must turn exactly its claim red.
 */
import { headOf, loadSuite, type Suite, type SuiteHead } from '../engine/discover.ts'
import { execute, worstOf } from '../engine/execute.ts'
import { createObserver, type NamedMonitor, type Observed } from '../engine/observe.ts'
import { claimsOf, type PlannedClaim } from '../engine/plan.ts'
import { verdictOf } from '../engine/verdict.ts'
import { createOpener } from '../peers/opener.ts'
import { describe } from '../peers/reply.ts'
import type { Patience } from '../peers/target.ts'
import { loadCatalogue, type Via } from '../spec/catalogue.ts'
import { MAIN_REVISION, type Revision } from '../spec/revision.ts'
import type { AnyMonitor, AnyScenario, Fault, Judgement } from '../suite.ts'
import { createLog } from '../wire/log.ts'
import { referenceTarget } from './reference-target.ts'

export interface Proof {
  suite: string
  via: Via
  spec: Revision
  /** undefined: the run against the correct reference, or against a legal variant of it */
  defect: string | undefined
  /** the claim that the defect is to turn red, with its requirement */
  claim?: string
  requirement?: string
  /** empty where the proof succeeded */
  problems: string[]
}

/**
 * The reference answers within a millisecond, so short waits are enough; they are still far above
 * what a loaded machine needs, because a proof must not depend on luck.
 */
const PATIENCE: Patience = { handshakeMs: 2_500, replyMs: 1_500, graceMs: 15, watchMs: 60, exitMs: 1_000 }

/** A faulty program is a process of its own, which has to start first, on a machine that may be busy. */
const PROGRAM_PATIENCE: Patience = { ...PATIENCE, handshakeMs: 10_000 }

interface Case {
  named: string | undefined
  via: Via
  spec: Revision
  fault?: Fault
  breaks?: string
  also?: readonly string[]
  /** claims that must hold, where the others may be inapplicable */
  shows?: readonly string[]
  bends?: readonly string[]
  /** claims that a variant shows, so that they may be inapplicable here */
  excused?: readonly string[]
  /** monitors: the scenario that drives it */
  on?: string
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

function casesOf(head: SuiteHead, suite: Suite): Case[] {
  const cases: Case[] = []
  const main = suite.needs?.until !== undefined && suite.needs.until < MAIN_REVISION ? suite.needs.until : MAIN_REVISION
  const vias = (only?: Via): Via[] =>
    (['stdio', 'http'] as const).filter(via =>
      [only, suite.needs?.via].every(want => want === undefined || want === via),
    )
  const judgedVia = (via: Via, spec: Revision, claim?: string): boolean =>
    claimsOf(head, via, spec).some(one => claim === undefined || one.claim === claim)
  if (suite.kind === 'server-scenario') {
    const excused = (suite.variants ?? []).flatMap(variant => variant.shows ?? [])
    for (const via of vias()) if (judgedVia(via, main)) cases.push({ named: undefined, via, spec: main, excused })
  }
  for (const variant of suite.variants ?? []) {
    const spec = variant.spec ?? main
    const on = 'on' in variant ? { on: String(variant.on) } : {}
    for (const via of vias(variant.via))
      if (judgedVia(via, spec))
        cases.push({
          named: `stays green: ${variant.named}`,
          via,
          spec,
          fault: variant,
          shows: variant.shows ?? [],
          bends: variant.bends ?? [],
          ...on,
        })
  }
  for (const defect of suite.defects) {
    const spec = defect.spec ?? main
    const on = 'on' in defect ? { on: String(defect.on) } : {}
    for (const via of vias('program' in defect ? 'stdio' : defect.via)) {
      if (!judgedVia(via, spec, defect.breaks)) continue
      cases.push({
        named: `turns ${defect.breaks} red: ${defect.named}`,
        via,
        spec,
        fault: defect,
        breaks: defect.breaks,
        also: defect.also ?? [],
        ...on,
      })
    }
  }
  return cases
}

async function prove(head: SuiteHead, suite: Suite, one: Case, monitors: readonly NamedMonitor[]): Promise<Proof> {
  const driver = suite.kind === 'monitor' ? ((await loadSuite(one.on ?? '')) as AnyScenario) : suite
  const watching =
    suite.kind === 'monitor' ? [{ id: head.id, monitor: suite }] : one.fault === undefined ? monitors : []
  const { judgements, observed, error } = await drive(one.on ?? head.id, driver, one, watching)
  const problems: string[] = error === undefined ? [] : [`harness error: ${error.stack ?? error.message}`]
  const claims = claimsOf(head, one.via, one.spec)
  const seen: Judgement<string>[] = suite.kind === 'monitor' ? observed.map(({ judgement }) => judgement) : judgements
  if (one.breaks === undefined) {
    problems.push(...mustHold(claims, seen, one))
    if (suite.kind !== 'monitor') problems.push(...quiet(observed))
  } else {
    problems.push(...mustBreak(claims, seen, one.breaks, one.also ?? []))
  }
  const requirement = claims.find(({ claim }) => claim === one.breaks)?.requirement.id
  return {
    suite: head.id,
    via: one.via,
    spec: one.spec,
    defect: one.breaks === undefined ? undefined : one.named,
    ...(one.breaks === undefined ? {} : { claim: one.breaks }),
    ...(requirement === undefined ? {} : { requirement }),
    problems,
  }
}

async function drive(
  id: string,
  scenario: AnyScenario,
  one: Case,
  monitors: readonly NamedMonitor[],
): Promise<{ judgements: Judgement<string>[]; observed: Observed[]; error: Error | undefined }> {
  const target = await referenceTarget(one.via, one.fault)
  const log = createLog()
  const observer = createObserver(monitors, log, { via: one.via, role: 'server', offered: one.spec })
  const opener = createOpener({
    access: target.access,
    revision: one.spec,
    patience: one.fault !== undefined && 'program' in one.fault ? PROGRAM_PATIENCE : PATIENCE,
    log,
    ahead: 0,
    onSession: (session, event) => {
      if (event === 'ends') observer.end(session)
    },
  })
  try {
    const hello = scenario.session === 'no-handshake' ? 'no-handshake' : (scenario.hello ?? {})
    const peer = await opener.open(hello, id)
    const { judgements, error } = await execute(id, scenario, peer)
    await opener.close()
    observer.close()
    const fault = error ?? [...observer.broken.values()][0]
    return { judgements, observed: observer.observed(), error: fault }
  } finally {
    await opener.close()
    await target.close()
  }
}

/** On the reference each claim is judged and holds; a variant may leave some of them inapplicable. */
function mustHold(claims: readonly PlannedClaim[], seen: readonly Judgement<string>[], one: Case): string[] {
  return claims.flatMap(({ claim }) => {
    const worst = worstOf(seen, claim)
    const strict = one.fault === undefined ? one.excused?.includes(claim) !== true : one.shows?.includes(claim) === true
    if (worst === undefined) return strict ? [`claim ${claim} was never judged`] : []
    if (worst.outcome === 'holds' || (worst.outcome === 'n/a' && !strict)) return []
    if (worst.outcome === 'bends' && one.bends?.includes(claim) === true) return []
    return [`claim ${claim} ${worst.outcome}: expected ${worst.expected}, got ${describe(worst.got)}`]
  })
}

function quiet(observed: readonly Observed[]): string[] {
  return observed.flatMap(one => {
    const verdict = verdictOf(loadCatalogue(one.spec).get(one.requirement), one.judgement.outcome, 'server')
    if (verdict !== 'fail' && verdict !== 'warn') return []
    return [`${one.monitor} ${one.claim}: expected ${one.judgement.expected}, got ${describe(one.judgement.got)}`]
  })
}

function mustBreak(
  claims: readonly PlannedClaim[],
  seen: readonly Judgement<string>[],
  breaks: string,
  also: readonly string[],
): string[] {
  return claims.flatMap(({ claim }) => {
    const worst = worstOf(seen, claim)
    const red = worst?.outcome === 'breaks' || worst?.outcome === 'bends'
    if (claim === breaks) {
      return red
        ? []
        : [`claim ${claim} did not turn red: ${worst === undefined ? 'never judged' : describe(worst.got)}`]
    }
    if (!red || worst === undefined || also.includes(claim)) return []
    return [`claim ${claim} turned red, too: expected ${worst.expected}, got ${describe(worst.got)}`]
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
