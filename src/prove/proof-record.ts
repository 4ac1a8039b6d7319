/**
 * What the last full proof run showed. `npm test` writes it when every proof of every suite succeeded; it is committed and
 * packed, so that `coverage` tells the truth without a proof run. It says which built code it is about: of any other it is
 * stale.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Side } from '../spec/catalogue.ts'
import type { Revision } from '../spec/revision.ts'
import type { Proof } from './prove.ts'

const FORMAT = 'mcp-conformance-proofs/1'

/** By suite, revision and side: the requirements whose claims a defect turned red. */
export type Proven = Record<string, Partial<Record<Revision, Partial<Record<Side, string[]>>>>>

export interface ProofRecord {
  format: typeof FORMAT
  /** of the code that was proven: see `proofKey` */
  key: string
  /** how many proofs there were, all of them successful */
  proofs: number
  proven: Proven
}

const root = fileURLToPath(new URL(import.meta.url.includes('/dist/') ? '../../../' : '../../', import.meta.url))
const recordFile = join(root, 'reports/proofs.json')

export function readRecord(): ProofRecord | undefined {
  if (!existsSync(recordFile)) return undefined
  const found = JSON.parse(readFileSync(recordFile, 'utf8')) as ProofRecord
  return found.format === FORMAT ? found : undefined
}

/** One line a suite, so that a difference can be read. */
export function writeRecord(proofs: readonly Proof[]): void {
  const proven = Object.entries(provenBy(proofs)).map(
    ([suite, by]) => `${JSON.stringify(suite)}: ${JSON.stringify(by)}`,
  )
  const head = `"format": "${FORMAT}",\n"key": "${proofKey()}",\n"proofs": ${proofs.length},\n"proven": {\n`
  const text = `{\n${head}${proven.join(',\n')}\n}\n}\n`
  if (!existsSync(recordFile) || readFileSync(recordFile, 'utf8') !== text) writeFileSync(recordFile, text)
}

/** Sorted throughout: equal results make equal files. */
export function provenBy(proofs: readonly Proof[]): Proven {
  const keys = proofs.flatMap(({ suite, spec, side, defect, requirement, problems }) =>
    defect === undefined || requirement === undefined || problems.length > 0 ? [] : [[suite, spec, side, requirement]],
  )
  const proven: Proven = {}
  for (const key of [...new Set(keys.map(one => one.join(' ')))].sort()) {
    const [suite, spec, side, requirement] = key.split(' ') as [string, Revision, Side, string]
    proven[suite] ??= {}
    const ofSuite = proven[suite]
    ofSuite[spec] ??= {}
    const ofRevision = ofSuite[spec]
    ofRevision[side] ??= []
    ofRevision[side].push(requirement)
  }
  return proven
}

/** What no proof runs. */
const APART = ['src/cli', 'src/report', 'src/build'].map(folder => folder.split('/').join(sep) + sep)

/** A hash of all built code and data that a proof runs: suites, reference, and what stands between them. */
export function proofKey(): string {
  const built = join(root, 'dist')
  const hash = createHash('sha256')
  const files = readdirSync(built, { recursive: true, encoding: 'utf8' })
    .filter(name => /\.(?:js|json)$/.test(name) && !APART.some(folder => name.startsWith(folder)))
    .sort()
  for (const name of files)
    hash
      .update(`${name.split(sep).join('/')}\0`)
      .update(readFileSync(join(built, name)))
      .update('\0')
  return hash.digest('hex').slice(0, 32)
}
