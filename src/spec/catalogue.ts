/**
 * The requirement catalogue: what the specification asks, in our words, one entry a clause. The
 * YAML under schema/<revision>/requirements is the source; the build compiles it to one JSON file
 * a revision, because parsing 500 KB of YAML would cost every start half a second.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { factsAbout, REVISIONS, type Revision, within } from './revision.ts'

export type Level = 'MUST' | 'MUST NOT' | 'SHOULD' | 'SHOULD NOT' | 'MAY' | 'ROBUST'
export type Role = 'client' | 'server' | 'both' | 'authorization-server'
/** The roles that a target can have. */
export const ROLES = ['server', 'client', 'authorization-server'] as const
export type Side = (typeof ROLES)[number]
/** Those that speak MCP: their messages are what monitors see. */
export type Speaker = Exclude<Side, 'authorization-server'>
export type Via = 'stdio' | 'http'
/** The hardest verdict that the check can give (see the head of base.yaml). */
export type Grade = 'breaks' | 'bends' | 'info' | 'tolerance' | 'umbrella' | 'none'

export interface Requirement {
  id: string
  area: string
  level: Level
  role: Role
  since: Revision
  until?: Revision
  /** page path and heading anchor; a leading revision means an older page */
  section: string
  summary: string
  probe: 'wire' | 'fixture' | 'scripted-peer' | 'not-observable'
  grade: Grade
  /** the grade of one side, where it differs from `grade` */
  grades?: Partial<Record<Side, Grade>>
  cap?: 'warn' | 'info'
  via?: Via[]
  /** which side is judged, where it is not the one that is bound (traps 62) */
  judged?: Side | 'both'
  /** why no check of ours judges that side */
  excused?: Partial<Record<Side, string>>
  check: string
  basis?: string
  revisions?: string
  why?: string
  see?: string[]
}

export interface Catalogue {
  readonly revision: Revision
  readonly entries: readonly Requirement[]
  find(id: string): Requirement | undefined
  get(id: string): Requirement
}

const folder = (revision: Revision): string =>
  fileURLToPath(new URL(`../../schema/${revision}/requirements/`, import.meta.url))

const loaded = new Map<Revision, Catalogue>()

/** The revisions that have a catalogue of their own; the others are part of one of these. */
export const CATALOGUES: readonly Revision[] = REVISIONS.filter(revision => factsAbout(revision).catalogue === revision)

/** The whole catalogue that holds `revision`; filter it with `holdsIn`. */
export function loadCatalogue(revision: Revision): Catalogue {
  const key = factsAbout(revision).catalogue
  const known = loaded.get(key)
  if (known !== undefined) return known
  const entries = readEntries(key)
  const byId = new Map(entries.map(entry => [entry.id, entry]))
  const catalogue: Catalogue = {
    revision: key,
    entries,
    find: id => byId.get(id),
    get(id) {
      const entry = byId.get(id)
      if (entry === undefined) throw new Error(`the catalogue of ${key} has no requirement ${id}`)
      return entry
    },
  }
  loaded.set(key, catalogue)
  return catalogue
}

function readEntries(revision: Revision): Requirement[] {
  const compiled = `${folder(revision)}catalogue.json`
  if (existsSync(compiled)) return JSON.parse(readFileSync(compiled, 'utf8')) as Requirement[]
  return readSources(revision)
}

/** Reads the YAML sources; used by the build and by tests that run from source. */
export function readSources(revision: Revision, from = folder(revision)): Requirement[] {
  // Loaded here and not at the top: an installed package never comes this way.
  const { parse } = createRequire(import.meta.url)('yaml') as typeof import('yaml')
  return readdirSync(from)
    .filter(name => name.endsWith('.yaml'))
    .sort()
    .flatMap(name => {
      const entries = parse(readFileSync(from + name, 'utf8')) as Omit<Requirement, 'area'>[]
      return entries.map(entry => ({ ...entry, area: name.replace('.yaml', '') }))
    })
}

export const holdsIn = (requirement: Requirement, revision: Revision): boolean =>
  within(revision, requirement.since, requirement.until)

/** True where the entry judges that side: `judged` where it is stated, else the side that is bound. */
export const judges = (requirement: Requirement, side: Side): boolean => {
  const judged = requirement.judged ?? requirement.role
  return judged === side || judged === 'both'
}

export const gradeOf = (requirement: Requirement, side: Side): Grade => requirement.grades?.[side] ?? requirement.grade

/** Something that a check of that side can see and report. */
export const observable = (requirement: Requirement, side: Side): boolean =>
  judges(requirement, side) && ['breaks', 'bends'].includes(gradeOf(requirement, side))

const SITE = 'https://modelcontextprotocol.io/specification/'

/** Where the specification says so; robustness entries are ours and have no page. */
export function specUrl(requirement: Requirement, revision: Revision): string | undefined {
  if (requirement.level === 'ROBUST') return undefined
  const dated = /^(\d{4}-\d\d-\d\d)\/(.*)$/.exec(requirement.section)
  const [page, anchor] = (dated?.[2] ?? requirement.section).split('#')
  const base = `${SITE}${dated?.[1] ?? factsAbout(revision).catalogue}/${(page ?? '').replace(/\/index$/, '')}`
  return anchor === undefined ? base : `${base}#${anchor}`
}
