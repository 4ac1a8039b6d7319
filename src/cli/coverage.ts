/** `mcp-conformance coverage`: which requirements are cited by a check, and which are proven by a defect. */
import { citedBy, listSuites, type SuiteHead, suiteIds } from '../engine/discover.ts'
import { unmatched } from '../engine/select.ts'
import { type Proven, proofKey, provenBy, readRecord } from '../prove/proof-record.ts'
import type { Proof } from '../prove/prove.ts'
import { holdsIn, loadCatalogue, observable, type Side } from '../spec/catalogue.ts'
import { isRevision, type Revision } from '../spec/revision.ts'
import { EXIT } from './package.ts'
import { UsageError } from './usage.ts'

interface AreaCoverage {
  area: string
  role: Side
  observable: number
  cited: number
  proven: number
  excused: { requirement: string; why: string }[]
  /** neither cited nor excused */
  open: string[]
  /** cited, but no defect turned it red in the last proof run */
  unproven: string[]
}

/** What the numbers of proven requirements rest on. */
interface Basis {
  /** fresh: the record of the last full proof run is about this very code; stale: about another one; none: there is no record */
  record: 'fresh' | 'stale' | 'none'
  /** suites that were proven now */
  live: string[]
}

export async function coverageCommand(options: { json?: boolean; prove: string[]; spec: string }): Promise<number> {
  const { spec } = options
  if (!isRevision(spec)) throw new UsageError(`--spec ${spec} is no protocol revision.`)
  const live = options.prove.length === 0 ? [] : await proveNow(options.prove, options.json !== true)
  const record = readRecord()
  // What was proven now counts for its suites, instead of what the record says of them.
  const now = Object.fromEntries(live.map(({ suite }) => [suite, {}]))
  const proven: Proven = { ...record?.proven, ...now, ...provenBy(live) }
  const basis: Basis = {
    record: record === undefined ? 'none' : record.key === proofKey() ? 'fresh' : 'stale',
    live: Object.keys(now),
  }
  const areas = coverageOf(spec, await listSuites(), proven)
  process.stdout.write(
    options.json === true
      ? `${JSON.stringify({ spec, proofs: basis, areas }, null, 2)}\n`
      : table(spec, areas) + restsOn(basis),
  )
  return live.some(({ problems }) => problems.length > 0) ? EXIT.failed : EXIT.ok
}

async function proveNow(globs: string[], loud: boolean): Promise<Proof[]> {
  const miss = unmatched(globs, suiteIds())[0]
  if (miss !== undefined) {
    throw new UsageError(
      `--prove ${miss.glob} matches no suite; ${miss.nearest === undefined ? 'see mcp-conformance list' : `did you mean ${miss.nearest}?`}`,
    )
  }
  const { proveLive } = await import('../prove/live.ts')
  return proveLive(globs, loud)
}

function restsOn({ record, live }: Basis): string {
  const said = {
    fresh: 'Proven: in the last full proof run, of this very code.',
    stale: 'Proven: in a full proof run of OTHER code than this (stale); npm test renews it.',
    none: 'Proven: nothing is recorded; npm test does that.',
  }
  const more = live.length === 0 ? '' : ` Of ${live.length} suites: right now.`
  return `\n${said[record]}${more}\n`
}

function coverageOf(spec: Revision, heads: readonly SuiteHead[], record: Proven): AreaCoverage[] {
  const citing = new Map<Side, Set<string>>([
    ['server', new Set()],
    ['client', new Set()],
  ])
  for (const head of heads) {
    for (const citation of Object.values(head.claims)) {
      const id = citedBy(citation, spec)
      if (id === undefined) continue
      for (const [side, ids] of citing) if (head.sides.includes(side)) ids.add(id)
    }
  }
  const existing = new Set(heads.map(head => head.id))
  // A proof counts for all revisions that one catalogue describes: the same words, the same check.
  const { revision } = loadCatalogue(spec)
  const proven = new Set(
    Object.entries(record)
      .filter(([suite]) => existing.has(suite))
      .flatMap(([, by]) => Object.entries(by))
      .filter(([proved]) => loadCatalogue(proved as Revision).revision === revision)
      .flatMap(([, sides]) => Object.entries(sides))
      .flatMap(([side, ids]) => ids.map(id => `${side} ${id}`)),
  )
  const areas: AreaCoverage[] = []
  const entries = loadCatalogue(spec).entries.filter(entry => holdsIn(entry, spec))
  for (const area of new Set(entries.map(entry => entry.area))) {
    for (const role of ['server', 'client'] as const) {
      const visible = entries.filter(entry => entry.area === area && observable(entry, role))
      if (visible.length === 0) continue
      const cited = visible.filter(entry => citing.get(role)?.has(entry.id) === true)
      const isProven = (id: string): boolean => proven.has(`${role} ${id}`)
      areas.push({
        area,
        role,
        observable: visible.length,
        cited: cited.length,
        proven: cited.filter(entry => isProven(entry.id)).length,
        excused: visible.flatMap(entry => {
          const why = entry.excused?.[role]
          return why === undefined ? [] : [{ requirement: entry.id, why }]
        }),
        open: visible
          .filter(entry => !cited.includes(entry) && entry.excused?.[role] === undefined)
          .map(entry => entry.id),
        unproven: cited.filter(entry => !isProven(entry.id)).map(entry => entry.id),
      })
    }
  }
  return areas
}

function table(spec: Revision, areas: readonly AreaCoverage[]): string {
  const lines = [`Requirements of ${spec} that a check can see, by area and by the side that is judged`, '']
  lines.push(`${'area'.padEnd(28)}${'side'.padEnd(8)}observable  cited  proven  excused`)
  for (const one of areas) {
    const numbers = [one.observable, one.cited, one.proven, one.excused.length]
    const [all, cited, proven, excused] = numbers.map(String) as [string, string, string, string]
    lines.push(
      `${one.area.padEnd(28)}${one.role.padEnd(8)}${all.padStart(10)}${cited.padStart(7)}${proven.padStart(8)}${excused.padStart(9)}`,
    )
  }
  for (const one of areas) {
    if (one.cited === 0) continue
    if (one.open.length > 0)
      lines.push('', `${one.area} (${one.role}), no check yet:`, ...one.open.map(id => `  ${id}`))
    if (one.unproven.length > 0)
      lines.push(
        '',
        `${one.area} (${one.role}), not proven in the last proof run:`,
        ...one.unproven.map(id => `  ${id}`),
      )
    if (one.excused.length > 0)
      lines.push(
        '',
        `${one.area} (${one.role}), excused:`,
        ...one.excused.map(({ requirement, why }) => `  ${requirement}: ${why}`),
      )
  }
  return `${lines.join('\n')}\n`
}
