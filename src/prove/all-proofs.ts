/** All proofs of some suites, and the way to run many of them side by side. */
import { suiteIds } from '../engine/discover.ts'
import { isMonitorId } from '../engine/suite-id.ts'
import { demandClocks } from '../wire/clock.ts'
import { loadMonitors, type Proof, proofsOf } from './prove.ts'

/** Proofs wait for each other's sockets, never for time: with so many side by side the processor has always something to do. */
export const SIDE_BY_SIDE = 32

export interface SuiteProofs {
  suite: string
  proofs: { title: string; run(): Promise<Proof> }[]
}

/** From here on everything in this process that waits needs a clock of its own, as proofs have. */
export async function proofsOfAll(ids: readonly string[]): Promise<SuiteProofs[]> {
  const monitors = await loadMonitors(suiteIds().filter(isMonitorId))
  const found: SuiteProofs[] = []
  for (const suite of ids) found.push({ suite, proofs: await proofsOf(suite, monitors) })
  demandClocks()
  return found
}

/** Runs them all; `tell` hears of each suite when it is through, in the order of the suites. */
export async function runProofs(
  suites: readonly SuiteProofs[],
  tell: (suite: string, proofs: { title: string; proof: Proof }[]) => void,
): Promise<void> {
  const inSlot = createSlots(SIDE_BY_SIDE)
  const under = suites.map(({ suite, proofs }) => ({
    suite,
    over: Promise.all(proofs.map(({ title, run }) => inSlot(async () => ({ title, proof: await run() })))),
  }))
  const telling = async (): Promise<void> => {
    for (const { suite, over } of under) tell(suite, await over)
  }
  await Promise.all([telling(), ...under.map(({ over }) => over)])
}

/** No more than so many at once. */
function createSlots(free: number): <T>(act: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  return async act => {
    if (free > 0) free -= 1
    else await new Promise<void>(resolve => waiting.push(resolve))
    try {
      return await act()
    } finally {
      const next = waiting.shift()
      if (next === undefined) free += 1
      else next()
    }
  }
}
