/** The proofs that a suite asks for: it holds on the reference, on legal variants of it, and each defect breaks its claim. */
import type { Suite, SuiteHead } from '../engine/discover.ts'
import type { Observed } from '../engine/observe.ts'
import { claimsOf } from '../engine/plan.ts'
import { roleIn } from '../engine/suite-id.ts'
import type { Verdict } from '../engine/verdict.ts'
import type { Side, Via } from '../spec/catalogue.ts'
import { mainRevisionIn, type Revision } from '../spec/revision.ts'
import type { ClientFault } from '../suite/client-scenario.ts'
import type { ServerFault } from '../suite/defects.ts'
import type { Judgement, Kind } from '../suite/judgement.ts'

export interface Case {
  side: Side
  named: string | undefined
  via: Via
  spec: Revision
  fault?: ServerFault | ClientFault
  breaks?: string
  /** the kind that the claim turns red with, and the verdict that it leads to */
  faultKind?: Kind
  verdict?: Verdict
  also?: readonly string[]
  /** claims that must hold, where the others may be inapplicable */
  shows?: readonly string[]
  bends?: readonly string[]
  /** claims that a variant shows, so that they may be inapplicable here */
  excused?: readonly string[]
  /** monitors: the scenario that drives it */
  on?: string
}

/** What one proof brought to light. */
export interface Driven {
  judgements: Judgement<string>[]
  observed: Observed[]
  error: Error | undefined
}

export function casesOf(head: SuiteHead, suite: Suite): Case[] {
  const cases: Case[] = []
  const main = mainRevisionIn(suite.needs ?? {})
  const vias = (only?: Via): Via[] =>
    (['stdio', 'http'] as const).filter(via =>
      [only, suite.needs?.via].every(want => want === undefined || want === via),
    )
  const judgedVia = (side: Side, via: Via, spec: Revision, claim?: string): boolean =>
    claimsOf(head, side, via, spec).some(one => claim === undefined || one.claim === claim)
  /** A monitor may watch both sides: the scenario that drives it says whose fault it is. */
  const sideOf = (on: string | undefined): Side => (on === undefined ? head.sides[0] : roleIn(on)) ?? 'server'
  if (suite.kind !== 'monitor') {
    const side = sideOf(undefined)
    const excused = (suite.variants ?? []).flatMap(variant => variant.shows ?? [])
    for (const via of vias())
      if (judgedVia(side, via, main)) cases.push({ side, named: undefined, via, spec: main, excused })
  }
  for (const variant of suite.variants ?? []) {
    const spec = variant.spec ?? main
    const on = 'on' in variant ? { on: String(variant.on) } : {}
    const side = sideOf(on.on)
    for (const via of vias(variant.via))
      if (judgedVia(side, via, spec))
        cases.push({
          side,
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
    const side = sideOf(on.on)
    // A faulty server program speaks over stdio; a faulty client takes what it is given.
    for (const via of vias('program' in defect && side === 'server' ? 'stdio' : defect.via)) {
      if (!judgedVia(side, via, spec, defect.breaks)) continue
      const kind = typeof defect.kind === 'object' ? defect.kind[via] : defect.kind
      cases.push({
        side,
        named: `turns ${defect.breaks} red: ${defect.named}`,
        via,
        spec,
        fault: defect,
        breaks: defect.breaks,
        ...(kind === undefined ? {} : { faultKind: kind }),
        ...(defect.verdict === undefined ? {} : { verdict: defect.verdict }),
        also: defect.also ?? [],
        ...on,
      })
    }
  }
  return cases
}
