/**
 * Finds the suites by path: one file is one scenario or monitor, and its path is its id. An
 * installed package reads the index that the build wrote and loads only what is planned; from
 * source the folder is read.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Side, Via } from '../spec/catalogue.ts'
import type { Revision } from '../spec/revision.ts'
import type { AnySuite } from '../suite/any-suite.ts'
import type { Citation } from '../suite/citation.ts'
import type { Drive } from '../suite/client-scenario.ts'
import type { AnyMonitor } from '../suite/monitor-definition.ts'
import type { AnyScenario } from '../suite/server-scenario.ts'
import { areaIn, roleIn, type SuiteId, suiteId } from './suite-id.ts'

export type Suite = AnySuite

/** The head of a suite file: all that planning needs. */
export interface SuiteHead {
  id: SuiteId
  kind: Suite['kind']
  /** whose scenario it is; undefined for a monitor */
  role?: Side
  /** whom it judges */
  sides: Side[]
  area: string
  title: string
  claims: Record<string, Citation>
  needs: {
    capability?: string
    via?: Via
    fixture?: { tool: string } | { prompt: string } | { resource: string }
    since?: Revision
    until?: Revision
  }
  session: NonNullable<AnyScenario['session']>
  exclusive: boolean
  harmful: boolean
  /** what a client is asked to do */
  drive?: Drive
}

const root = fileURLToPath(new URL('../../suites/', import.meta.url))

/** Where the build puts the heads of all suites. */
export const indexFile = (): string => join(root, 'index.json')

export async function listSuites(): Promise<SuiteHead[]> {
  if (existsSync(indexFile())) return JSON.parse(readFileSync(indexFile(), 'utf8')) as SuiteHead[]
  return readHeads()
}

/** Reads every suite file; the build and the tests come this way. */
export async function readHeads(): Promise<SuiteHead[]> {
  const heads: SuiteHead[] = []
  for (const id of suiteIds()) heads.push(headOf(id, await loadSuite(id)))
  return heads
}

export const suiteIds = (): string[] =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter(name => /\.(?:ts|js)$/.test(name) && !/\.(?:test|d)\.ts$/.test(name) && !/(?:^|[/\\])_/.test(name))
    .map(name =>
      relative(root, join(root, name))
        .split(sep)
        .join('/')
        .replace(/\.(?:ts|js)$/, ''),
    )
    .sort()

const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'

export async function loadSuite(id: string): Promise<Suite> {
  const module = (await import(pathToFileURL(join(root, `${id}.${extension}`)).href)) as { default?: Suite }
  if (module.default?.kind === undefined) {
    throw new Error(`suites/${id}.ts needs a default export made by serverScenario(), clientScenario() or monitor()`)
  }
  return module.default
}

export function headOf(id: string, suite: Suite): SuiteHead {
  const role = roleIn(id)
  return {
    id: suiteId(id),
    kind: suite.kind,
    ...(role === undefined ? {} : { role }),
    sides: role === undefined ? ((suite as AnyMonitor).sides ?? ['server']) : [role],
    area: areaIn(suiteId(id)),
    title: suite.title,
    claims: suite.claims,
    needs: suite.needs ?? {},
    session: suite.kind === 'server-scenario' ? (suite.session ?? 'shared') : 'shared',
    exclusive: suite.kind !== 'monitor' && suite.exclusive === true,
    harmful: suite.kind === 'server-scenario' && suite.harmful === true,
    ...(suite.kind === 'client-scenario' ? { drive: suite.script.drive } : {}),
  }
}

/** The requirement that a claim cites under a revision; undefined where the clause does not exist there. */
export function citedBy(citation: Citation, revision: Revision): string | undefined {
  return typeof citation === 'string' ? citation : citation[revision]
}
