/** The report: a value from which every output is rendered. report.schema.json describes it. */
import type { Result, RunOutcome, TargetFacts } from '../engine/result.ts'
import { VERDICTS, type Verdict } from '../engine/verdict.ts'
import { holdsIn, loadCatalogue, observable, type Side } from '../spec/catalogue.ts'
import type { Revision } from '../spec/revision.ts'
import type { Mask } from '../wire/mask.ts'
import { causesOf } from './causes.ts'
import type { Reported } from './reported.ts'
import { sentenceOf } from './sentences.ts'

export interface Report {
  format: 'mcp-conformance-report/2'
  tool: { name: string; version: string }
  spec: Revision
  seed: number
  startedAt: string
  durationMs: number
  /** null: as much side by side as the target bears */
  jobs: number | null
  shard: null
  exitCode: number
  interrupted: boolean
  unstable: boolean
  callTools: string
  targets: TargetFacts[]
  /** why a target could not be tested, or not to the end */
  troubles: { at: string; via: string; kind: string; sentence: string }[]
  notes: string[]
  /** what the run cost us: processes of the target that were started, and our own processor time */
  cost: { processStarts: number; cpuMs: number }
  summary: Record<Verdict, number>
  /** observable requirements of the role that some result judged, by area */
  coverage: { area: string; observable: number; judged: number }[]
  results: Reported[]
}

export interface ReportHead {
  version: string
  spec: Revision
  seed: number
  startedAt: Date
  durationMs: number
  /** processor time of this process, user and system */
  cpuMs: number
  /** null: as much side by side as the target bears */
  jobs: number | null
  callTools: string
  strict: Strict
}

/** What counts as a failure beside a failure. */
export type Strict = 'no' | 'warn' | 'all'

export function createReport(head: ReportHead, outcomes: readonly RunOutcome[]): Report {
  const results = reported(outcomes.flatMap(outcome => outcome.results))
  const report: Report = {
    format: 'mcp-conformance-report/2',
    tool: { name: 'mcp-conformance', version: head.version },
    spec: head.spec,
    seed: head.seed,
    startedAt: head.startedAt.toISOString(),
    durationMs: Math.round(head.durationMs),
    jobs: head.jobs,
    shard: null,
    exitCode: 0,
    interrupted: outcomes.some(outcome => outcome.interrupted),
    unstable: outcomes.some(outcome => outcome.unstable),
    callTools: head.callTools,
    targets: outcomes.flatMap(outcome => outcome.targets),
    troubles: outcomes.flatMap(outcome =>
      outcome.trouble === undefined
        ? []
        : [{ at: outcome.targets[0]?.at ?? '', via: outcome.targets[0]?.via ?? '', ...outcome.trouble }],
    ),
    notes: [...new Set(outcomes.flatMap(outcome => outcome.notes))],
    cost: {
      processStarts: outcomes.reduce((sum, outcome) => sum + outcome.processStarts, 0),
      cpuMs: Math.round(head.cpuMs),
    },
    summary: countVerdicts(results),
    coverage: coverageOf(results, judgedRevision(outcomes) ?? head.spec, outcomes[0]?.role ?? 'server'),
    results,
  }
  report.exitCode = exitCodeOf(report, head.strict)
  return report
}

/** The revision that the results are about: it may have been settled with the target. */
const judgedRevision = (outcomes: readonly RunOutcome[]): Revision | undefined =>
  outcomes.flatMap(outcome => outcome.results)[0]?.spec

/** Adds the sentences, and a name for each cause: `c1`, `c2` in the order of the report. */
function reported(results: readonly Result[]): Reported[] {
  const all: Reported[] = results.map(result => ({ ...result, message: sentenceOf(result) }))
  const causes = CAUSED.flatMap(verdict => causesOf(all, verdict))
  causes.forEach(({ first, others }, index) => {
    for (const one of [first, ...others]) one.cause = `c${index + 1}`
  })
  return all
}

const CAUSED: readonly Verdict[] = ['fail', 'error', 'warn', 'info']

export function countVerdicts(results: readonly Result[]): Record<Verdict, number> {
  const counts = Object.fromEntries(VERDICTS.map(verdict => [verdict, 0])) as Record<Verdict, number>
  for (const result of results) counts[result.verdict] += 1
  return counts
}

/** 0 conforms, 1 a failure, 3 not reached or nothing judged, 4 our own fault, 130 interrupted. */
function exitCodeOf(report: Report, strict: Strict): number {
  const { summary } = report
  if (report.interrupted) return 130
  if (summary.error > 0) return 4
  if (summary.fail > 0 || (strict !== 'no' && summary.warn > 0) || (strict === 'all' && summary.untested > 0)) return 1
  const judged = summary.pass + summary.warn + summary.info
  return report.troubles.length > 0 || judged === 0 ? 3 : 0
}

function coverageOf(results: readonly Result[], spec: Revision, side: Side): Report['coverage'] {
  const judged = new Set(
    results.filter(one => !['skip', 'untested', 'error'].includes(one.verdict)).map(one => one.requirement),
  )
  const areas = new Map<string, { observable: number; judged: number }>()
  for (const entry of loadCatalogue(spec).entries) {
    if (!observable(entry, side) || !holdsIn(entry, spec)) continue
    const area = areas.get(entry.area) ?? { observable: 0, judged: 0 }
    area.observable += 1
    if (judged.has(entry.id)) area.judged += 1
    areas.set(entry.area, area)
  }
  return [...areas].filter(([, counts]) => counts.judged > 0).map(([area, counts]) => ({ area, ...counts }))
}

/** The report without secrets: what may be written. */
export function masked(report: Report, mask: Mask): Report {
  return JSON.parse(JSON.stringify(report), (_key, value: unknown) =>
    typeof value === 'string' ? mask.text(value) : value,
  ) as Report
}
