/** `coverage --prove`: runs the proofs now and shows them. */
import picomatch from 'picomatch'
import { suiteIds } from '../engine/discover.ts'
import { proofsOfAll, runProofs } from './all-proofs.ts'
import type { Proof } from './prove.ts'

export async function proveLive(globs: readonly string[], loud: boolean): Promise<Proof[]> {
  const admitted = picomatch(globs as string[], { bash: true, dot: true })
  const say = (text: string): void => {
    if (loud) process.stdout.write(`${text}\n`)
  }
  const began = performance.now()
  const all: Proof[] = []
  await runProofs(await proofsOfAll(suiteIds().filter(id => admitted(id))), (suite, proofs) => {
    say(suite)
    for (const { title, proof } of proofs) {
      all.push(proof)
      say(`  ${proof.problems.length === 0 ? '✓' : '✗'} ${title}`)
      for (const problem of proof.problems) say(`      ${problem}`)
    }
  })
  const failed = all.filter(proof => proof.problems.length > 0).length
  const red = all.filter(proof => proof.problems.length === 0 && proof.defect !== undefined).length
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  say(`\n${red} defects turned their claims red, ${failed} proofs failed, ${seconds} s\n`)
  return all
}
