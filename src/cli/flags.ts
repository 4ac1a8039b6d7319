/** The options of `run`, read and checked: a mistake is one sentence that says what to do. */
import type { listSuites } from '../engine/discover.ts'
import { type Selection, suiteNames, unmatched } from '../engine/select.ts'
import { type CallTools, DEFAULT_TIMEOUTS, type Timeouts } from '../peers/target.ts'
import type { Strict } from '../report/report.ts'
import { DEFAULT_FILES, FORMATS, type Format, type ReportFile } from '../report/write.ts'
import { CATALOGUES, loadCatalogue } from '../spec/catalogue.ts'
import { isRevision, MAIN_REVISION, REVISIONS, type Revision } from '../spec/revision.ts'
import { UsageError, wholeNumber } from './usage.ts'

export interface RunFlags {
  callTools: string
  server?: string
  client?: string
  transport?: string
  start?: string
  header: string[]
  env: string[]
  cwd?: string
  spec?: string
  suite: string[]
  scenario: string[]
  requirement: string[]
  timeout?: string
  jobs?: string
  seed: string
  bail?: boolean
  strict?: string | boolean
  report: string[]
  quiet?: boolean
}

export function revisionOf(spec: string | undefined): Revision {
  if (spec === undefined) return MAIN_REVISION
  if (!isRevision(spec))
    throw new UsageError(`--spec ${spec} is no protocol revision; there are ${REVISIONS.join(', ')}.`)
  return spec
}

export function timeoutsOf(timeout: string | undefined): Timeouts {
  if (timeout === undefined) return DEFAULT_TIMEOUTS
  const ms = wholeNumber('--timeout', timeout, 1)
  return {
    ...DEFAULT_TIMEOUTS,
    handshakeMs: ms,
    replyMs: Math.min(ms, DEFAULT_TIMEOUTS.replyMs),
    exitMs: Math.min(ms, DEFAULT_TIMEOUTS.exitMs),
  }
}

/** `safe`, `fixtures`, `all`, or the names of tools. */
export function callToolsOf(text: string): CallTools {
  if (text === 'safe' || text === 'fixtures' || text === 'all') return { kind: text }
  const names = text
    .split(',')
    .map(name => name.trim())
    .filter(name => name !== '')
  if (names.length === 0)
    throw new UsageError('--call-tools takes safe, fixtures, all, or names of tools with commas between.')
  return { kind: 'named', names }
}

export function strictOf(value: string | boolean | undefined): Strict {
  if (value === undefined || value === false) return 'no'
  if (value === true || value === 'warn') return 'warn'
  if (value === 'all') return 'all'
  throw new UsageError(`--strict takes nothing, warn or all, not "${value}".`)
}

export function reportsOf(flags: RunFlags): { files: ReportFile[]; console: boolean } {
  const files: ReportFile[] = []
  for (const text of flags.report) {
    const [format = '', ...rest] = text.split('=')
    if (!FORMATS.includes(format as Format)) {
      throw new UsageError(`--report ${format} is unknown; there are ${FORMATS.join(', ')}.`)
    }
    if (format === 'console') continue
    const path = rest.join('=') || (DEFAULT_FILES.find(file => file.format === format)?.path as string)
    files.push({ format: format as ReportFile['format'], path })
  }
  const wantsFiles = flags.report.some(text => !text.startsWith('console'))
  return { files: wantsFiles || flags.report.length > 0 ? files : [...DEFAULT_FILES], console: flags.quiet !== true }
}

export function selectionOf(flags: RunFlags, heads: Awaited<ReturnType<typeof listSuites>>): Selection {
  const known: [string, string[], string[]][] = [
    ['--suite', flags.suite, heads.flatMap(suiteNames)],
    ['--scenario', flags.scenario, heads.map(head => head.id)],
    ['--requirement', flags.requirement, requirementsOf(flags.spec)],
  ]
  for (const [flag, globs, names] of known) {
    const first = globs.length === 0 ? undefined : unmatched(globs, [...new Set(names)])[0]
    if (first === undefined) continue
    const hint =
      first.nearest === undefined ? 'mcp-conformance list shows what there is' : `did you mean ${first.nearest}?`
    throw new UsageError(`${flag} ${first.glob} matches nothing; ${hint}`)
  }
  return { suites: flags.suite, scenarios: flags.scenario, requirements: flags.requirement }
}

/** Of the catalogue that `--spec` names; without it a target may turn out to speak any revision. */
const requirementsOf = (spec: string | undefined): string[] =>
  (spec === undefined ? CATALOGUES : [revisionOf(spec)]).flatMap(revision =>
    loadCatalogue(revision).entries.map(entry => entry.id),
  )
