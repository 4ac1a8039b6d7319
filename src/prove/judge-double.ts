/** Our server suites against the double: every claim that applies to it, and what the monitors see meanwhile. */
import { listSuites, loadSuite } from '../engine/discover.ts'
import { planScenarios } from '../engine/plan.ts'
import { everything } from '../engine/select.ts'
import { isMonitorId } from '../engine/suite-id.ts'
import { verdictOf } from '../engine/verdict.ts'
import type { ServerSetup } from '../peers/double/double.ts'
import { describe } from '../peers/reply.ts'
import { loadCatalogue, type Via } from '../spec/catalogue.ts'
import { MAIN_REVISION, type Revision } from '../spec/revision.ts'
import { SIDE_BY_SIDE } from './all-proofs.ts'
import { doubleTarget } from './double-target.ts'
import { driveTarget } from './drive-server.ts'
import { inItsTime } from './proof-clock.ts'
import { loadMonitors } from './prove.ts'

export interface JudgedDouble {
  /** claims that were seen to hold */
  held: number
  /** a line for each that did not, and for each fault of ours */
  wrong: string[]
}

export async function judgeDouble(
  via: Via,
  setup: () => ServerSetup,
  revision: Revision = MAIN_REVISION,
): Promise<JudgedDouble> {
  const heads = await listSuites()
  const facts = { role: 'server', via, revision, capabilities: setup().capabilities ?? {} } as const
  const planned = planScenarios(heads, facts, everything)
  const ids = heads.map(({ id }) => id).filter(isMonitorId)
  const monitors = (await loadMonitors(ids)).filter(({ monitor }) => (monitor.sides ?? ['server']).includes('server'))
  const seen: JudgedDouble = { held: 0, wrong: [] }
  const judgeOne = async ({ head, claims }: (typeof planned)[number]): Promise<void> => {
    const suite = await loadSuite(head.id)
    if (suite.kind !== 'server-scenario') return
    const { judgements, observed, error } = await inItsTime(undefined, async () =>
      driveTarget(await doubleTarget(via, revision, setup()), head.id, suite, { via, spec: revision }, monitors),
    )
    if (error !== undefined) seen.wrong.push(`${head.id}: ${error.stack ?? error.message}`)
    for (const { claim, outcome, expected, got } of judgements) {
      if (outcome === 'n/a' || !claims.some(one => one.claim === claim)) continue
      if (outcome === 'holds') seen.held += 1
      else seen.wrong.push(`${head.id} ${claim} ${outcome}: expected ${expected}, got ${describe(got)}`)
    }
    for (const { monitor, claim, requirement, spec, worst } of observed) {
      const verdict = verdictOf(loadCatalogue(spec).get(requirement), worst.outcome, 'server')
      if (verdict === 'fail' || verdict === 'warn')
        seen.wrong.push(`${monitor} ${claim} in ${head.id}: expected ${worst.expected}, got ${describe(worst.got)}`)
    }
  }
  const left = planned.filter(({ skip }) => skip === undefined)
  const lane = async (): Promise<void> => {
    for (let one = left.shift(); one !== undefined; one = left.shift()) await judgeOne(one)
  }
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, lane))
  return seen
}
