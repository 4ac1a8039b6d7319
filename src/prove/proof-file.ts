/** Remembers what the last proof run showed, a file a suite folder, for `coverage`. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Side } from '../spec/catalogue.ts'
import { isRevision, type Revision } from '../spec/revision.ts'
import type { Proof } from './prove.ts'

/** In the built tree, so that a package carries the proofs of its own suites. */
const folder = fileURLToPath(
  new URL(import.meta.url.includes('/dist/') ? '../../proof/' : '../../dist/proof/', import.meta.url),
)

/** A claim that a defect turned red. */
export interface Proven {
  suite: string
  side: Side
  spec: Revision
  claim: string
  requirement: string
  defect: string
  via: string
}

const fileOf = (place: string): string => `${folder}${place.replaceAll('/', '.')}.json`

/** A run of some suites must not forget what an earlier one has shown of the others. */
export function saveProofs(place: string, proofs: readonly Proof[]): void {
  const proven = proofs.flatMap((proof): Proven[] =>
    proof.defect !== undefined &&
    proof.claim !== undefined &&
    proof.requirement !== undefined &&
    proof.problems.length === 0
      ? [
          {
            suite: proof.suite,
            side: proof.side,
            spec: proof.spec,
            claim: proof.claim,
            requirement: proof.requirement,
            defect: proof.defect,
            via: proof.via,
          },
        ]
      : [],
  )
  mkdirSync(folder, { recursive: true })
  const now = new Set(proofs.map(proof => proof.suite))
  const kept = existsSync(fileOf(place)) ? read(fileOf(place)).filter(one => !now.has(one.suite)) : []
  writeFileSync(fileOf(place), JSON.stringify([...kept, ...proven], null, 1))
}

export function readProofs(): Proven[] {
  if (!existsSync(folder)) return []
  return (
    readdirSync(folder)
      .sort()
      .flatMap(name => read(folder + name))
      // A row of an older version does not say under which revision it was proven.
      .filter(({ spec }) => isRevision(spec))
  )
}

const read = (file: string): Proven[] => JSON.parse(readFileSync(file, 'utf8')) as Proven[]
