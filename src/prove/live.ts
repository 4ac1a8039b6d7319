/** `coverage --prove`: runs the proofs now and shows them. */
import picomatch from 'picomatch'
import { suiteIds } from '../engine/discover.ts'
import { saveProofs } from './proof-file.ts'
import { loadMonitors, type Proof, proofsOf } from './prove.ts'

/** Proofs wait for silence most of the time, so several go on side by side. */
const SIDE_BY_SIDE = 32

/** Returns how many proofs failed. */
export async function proveLive(globs: readonly string[], loud: boolean): Promise<number> {
  const admitted = picomatch(globs as string[], { bash: true, dot: true })
  const ids = suiteIds()
  const monitors = await loadMonitors(ids.filter(id => id.startsWith('monitors/')))
  const say = (text: string): void => {
    if (loud) process.stdout.write(`${text}\n`)
  }
  const began = performance.now()
  let failed = 0
  let red = 0
  const byPlace = new Map<string, Proof[]>()
  for (const id of ids.filter(one => admitted(one))) {
    const place = id.split('/').slice(0, -1).join('/')
    const queue = await proofsOf(id, monitors)
    say(id)
    const work = async (): Promise<void> => {
      for (let one = queue.shift(); one !== undefined; one = queue.shift()) {
        const proof = await one.run()
        byPlace.set(place, [...(byPlace.get(place) ?? []), proof])
        const ok = proof.problems.length === 0
        if (!ok) failed += 1
        else if (proof.defect !== undefined) red += 1
        say(`  ${ok ? '✓' : '✗'} ${one.title}`)
        for (const problem of proof.problems) say(`      ${problem}`)
      }
    }
    await Promise.all(Array.from({ length: SIDE_BY_SIDE }, work))
  }
  // A partial run must not forget what a full one has shown.
  for (const [place, proofs] of byPlace) saveProofs(place, proofs)
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  say(`\n${red} defects turned their claims red, ${failed} proofs failed, ${seconds} s\n`)
  return failed
}
