/** Declares every proof as a test. The suites are dealt out to a few test files, so that those run side by side. */
import { afterAll, describe, expect, test, vi } from 'vitest'
import { built } from './built.ts'
import type { Proof } from './prove.ts'
import { keepShard } from './shards.ts'

export async function declareProofs(shard: number, shards: number): Promise<void> {
  const { suiteIds } = await built<typeof import('../engine/discover.ts')>('engine/discover.js')
  const { proofsOfAll, SIDE_BY_SIDE } = await built<typeof import('./all-proofs.ts')>('prove/all-proofs.js')
  vi.setConfig({ maxConcurrency: SIDE_BY_SIDE })
  const all = await proofsOfAll(suiteIds().filter((_id, index) => index % shards === shard - 1))
  const done: Proof[] = []
  for (const { suite, proofs } of all) {
    describe.concurrent(suite, () => {
      for (const { title, run } of proofs) {
        test(title, async () => {
          const proof = await run()
          done.push(proof)
          expect(proof.problems).toEqual([])
        })
      }
    })
  }
  const declared = all.reduce((sum, { proofs }) => sum + proofs.length, 0)
  afterAll(() => keepShard({ shard, shards, declared, proofs: done }))
}
