/**
 * A red verdict is reported only after it was seen again, alone, on a conversation of its own: a monitor's by playing
 * the scenario of its first evidence once more. What does not repeat is a warning.
 */
import { runLanes } from './lanes.ts'
import type { Result } from './result.ts'
import type { RoleDriver, Run } from './role-driver.ts'
import { settle } from './settle.ts'
import { isRed } from './verdict.ts'

/** Each repetition has a target or a session of its own; so many do not disturb each other. */
const SIDE_BY_SIDE = 4

/** Marks each red as confirmed, or turns it into a warning. Returns true when one did not repeat. */
export async function confirmReds(run: Run, driver: RoleDriver, results: Result[]): Promise<boolean> {
  const { options } = run
  const groups = [...groupedByScenario(results.filter(result => isRed(result.verdict)))]
  const isAlone = (id: string): boolean =>
    options.heads.some(head => head.id === id && (head.exclusive || head.harmful))
  const limit = Math.min(SIDE_BY_SIDE, options.jobs ?? SIDE_BY_SIDE)
  let unstable = false
  const confirm = async ([scenario, group]: [string, Result[]]): Promise<void> => {
    options.listen({ type: 'confirming', id: scenario })
    if (settle(group, await driver.replay(scenario, group))) unstable = true
  }
  await runLanes(
    groups.filter(([id]) => !isAlone(id)),
    () => limit,
    confirm,
  )
  await runLanes(
    groups.filter(([id]) => isAlone(id)),
    () => 1,
    confirm,
  )
  return unstable
}

/** By the scenario to play again: the result's own, or for a monitor the one that it blames. */
export function groupedByScenario(reds: readonly Result[]): Map<string, Result[]> {
  const groups = new Map<string, Result[]>()
  for (const red of reds) {
    const scenario = red.seenIn ?? red.scenario
    groups.set(scenario, [...(groups.get(scenario) ?? []), red])
  }
  return groups
}
