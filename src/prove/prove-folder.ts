/** Declares the proofs of one suite folder as tests; each folder has a test file, so that they run side by side. */
import { afterAll, describe, expect, test } from 'vitest'
import { suiteIds } from '../engine/discover.ts'
import { isMonitorId } from '../engine/suite-id.ts'
import { saveProofs } from './proof-file.ts'
import { loadMonitors, type Proof, proofsOf } from './prove.ts'

export async function proveFolder(place: string): Promise<void> {
  const all = suiteIds()
  const monitors = await loadMonitors(all.filter(isMonitorId))
  const proofs: Proof[] = []
  for (const id of all.filter(one => one.startsWith(`${place}/`))) {
    const cases = await proofsOf(id, monitors)
    describe(id, () => {
      for (const one of cases) {
        test.concurrent(one.title, async () => {
          const proof = await one.run()
          proofs.push(proof)
          expect(proof.problems).toEqual([])
        })
      }
    })
  }
  afterAll(() => saveProofs(place, proofs))
}
