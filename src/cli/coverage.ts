/** `mcp-conformance coverage`: which requirements are cited by a check, and which are proven by a defect. */
import { citedBy, listSuites, type SuiteHead, suiteIds } from '../engine/discover.ts'
import { unmatched } from '../engine/select.ts'
import { type Proven, proofKey, provenBy, readRecord } from '../prove/proof-record.ts'
import type { Proof } from '../prove/prove.ts'
import { holdsIn, loadCatalogue, observable, type Requirement, type Side } from '../spec/catalogue.ts'
import { factsAbout, isRevision, mayJudge, type Revision } from '../spec/revision.ts'
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
  const known = { cited: citedIn(spec, heads), proven: provenIn(spec, heads, record) }
  const entries = loadCatalogue(spec).entries.filter(entry => holdsIn(entry, spec))
  return [...new Set(entries.map(entry => entry.area))].flatMap(area =>
    (['server', 'client'] as const).flatMap(role => {
      const visible = entries.filter(entry => entry.area === area && observable(entry, role))
      return visible.length === 0 ? [] : [areaCoverage(area, role, visible, known)]
    }),
  )
}

/** What a check of the side names under the revision, as `side id`. */
function citedIn(spec: Revision, heads: readonly SuiteHead[]): ReadonlySet<string> {
  return new Set(
    heads
      .filter(head => mayJudge(head.needs, spec))
      .flatMap(head =>
        Object.values(head.claims).flatMap(citation => {
          const id = citedBy(citation, spec)
          return id === undefined ? [] : head.sides.map(side => `${side} ${id}`)
        }),
      ),
  )
}

/** What a defect turned red. A proof counts for all revisions that one catalogue describes: the same words, the same check. */
function provenIn(spec: Revision, heads: readonly SuiteHead[], record: Proven): ReadonlySet<string> {
  const existing = new Set<string>(heads.map(head => head.id))
  const { catalogue } = factsAbout(spec)
  return new Set(
    Object.entries(record)
      .filter(([suite]) => existing.has(suite))
      .flatMap(([, by]) => Object.entries(by))
      .filter(([proved]) => factsAbout(proved as Revision).catalogue === catalogue)
      .flatMap(([, sides]) => Object.entries(sides))
      .flatMap(([side, ids]) => ids.map(id => `${side} ${id}`)),
  )
}

function areaCoverage(
  area: string,
  role: Side,
  visible: readonly Requirement[],
  known: { cited: ReadonlySet<string>; proven: ReadonlySet<string> },
): AreaCoverage {
  const isIn = (ids: ReadonlySet<string>, entry: Requirement): boolean => ids.has(`${role} ${entry.id}`)
  const cited = visible.filter(entry => isIn(known.cited, entry))
  return {
    area,
    role,
    observable: visible.length,
    cited: cited.length,
    proven: cited.filter(entry => isIn(known.proven, entry)).length,
    excused: visible.flatMap(entry => {
      const why = entry.excused?.[role]
      return why === undefined ? [] : [{ requirement: entry.id, why }]
    }),
    open: visible.filter(entry => !cited.includes(entry) && entry.excused?.[role] === undefined).map(entry => entry.id),
    unproven: cited.filter(entry => !isIn(known.proven, entry)).map(entry => entry.id),
  }
}

function table(spec: Revision, areas: readonly AreaCoverage[]): string {
  const part = factsAbout(spec).judged === 'in part' ? ' (judged in part)' : ''
  const lines = [`Requirements of ${spec}${part} that a check can see, by area and by the side that is judged`, '']
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
