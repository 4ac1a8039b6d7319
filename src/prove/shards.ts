/** Puts together what the test files with proofs found out: the record is written when all of them ran all of theirs. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { writeRecord } from './proof-record.ts'
import type { Proof } from './prove.ts'

interface Shard {
  shard: number
  shards: number
  declared: number
  proofs: Proof[]
}

const folder = fileURLToPath(new URL('../../dist/proofs/', import.meta.url))

export function keepShard(shard: Shard): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${shard.shard}.txt`), JSON.stringify(shard))
}

/** Vitest calls it before the first test, and what it returns behind the last one. */
export default function setup(): () => void {
  rmSync(folder, { recursive: true, force: true })
  return () => {
    if (!existsSync(folder)) return
    const found = readdirSync(folder).map(name => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Shard)
    rmSync(folder, { recursive: true, force: true })
    const isFull = found.length > 0 && found.every(({ shards }) => shards === found.length)
    const isGood = ({ declared, proofs }: Shard): boolean =>
      proofs.length === declared && proofs.every(({ problems }) => problems.length === 0)
    if (isFull && found.every(isGood)) writeRecord(found.flatMap(({ proofs }) => proofs))
  }
}
