/**
 * A red verdict is reported only after it was seen again on a fresh session, alone: a monitor's by
 * running the scenario of its first evidence once more. What does not repeat is a warning.
 */
import type { OpenPeer } from '../peers/open-peer.ts'
import { createSessionFactory } from '../peers/session-factory.ts'
import type { AnyScenario } from '../suite/server-scenario.ts'
import { loadSuite, type SuiteHead } from './discover.ts'
import { isFault } from './faults.ts'
import { seenAgain } from './monitor-results.ts'
import { createObserver, type Observer } from './observe.ts'
import { claimsOf } from './plan.ts'
import type { Result } from './result.ts'
import { judgeScenario, type Run } from './scenario.ts'
import { createSessions } from './sessions.ts'
import { settle } from './settle.ts'
import { isRed } from './verdict.ts'

/** Marks each red as confirmed, or turns it into a warning. Returns true when one did not repeat. */
export async function confirmReds(run: Run, results: Result[]): Promise<boolean> {
  const reds = results.filter(result => isRed(result.verdict))
  const heads = new Map(run.options.heads.map(head => [head.id, head]))
  let unstable = false
  for (const [scenario, group] of groupedByScenario(reds)) {
    const head = heads.get(scenario)
    run.options.listen({ type: 'confirming', id: scenario })
    const again = await rerun(run, head, group)
    if (settle(group, again)) unstable = true
  }
  return unstable
}

/** By the scenario to run again: the result's own, or for a monitor the one that it blames. */
export function groupedByScenario(reds: readonly Result[]): Map<string, Result[]> {
  const groups = new Map<string, Result[]>()
  for (const red of reds) {
    const scenario = red.seenIn ?? red.scenario
    groups.set(scenario, [...(groups.get(scenario) ?? []), red])
  }
  return groups
}

/** How many times `watchMs` a monitor gets to see again what it saw, while nothing else is going on. */
const WATCHES = 5

/** Watches until each monitor that is blamed has seen its fault again; at most for some seconds. */
async function awaitAgain(peer: OpenPeer, observer: Observer, blames: readonly Result[]): Promise<void> {
  const wanted = blames.filter(one => one.scenario.startsWith('monitors/'))
  const again = (one: Result): boolean =>
    observer
      .observed()
      .some(({ monitor, claim, worst }) => monitor === one.scenario && claim === one.claim && isFault(worst.outcome))
  for (let count = 0; count < WATCHES && !wanted.every(again); count += 1) await peer.watch()
}

async function rerun(run: Run, head: SuiteHead | undefined, blames: readonly Result[]): Promise<Result[]> {
  const { options, context, monitors } = run
  const observer = createObserver(monitors, options.log, {
    via: context.via,
    role: context.role,
    offered: run.opener.revision,
  })
  const opener = createSessionFactory({
    access: options.access,
    revision: run.opener.revision,
    timeouts: options.timeouts,
    log: options.log,
    callTools: options.callTools,
    ahead: 0,
    onSession: (session, event) => {
      if (event === 'ends') observer.end(session)
    },
  })
  opener.liveness = run.opener.liveness
  const results: Result[] = []
  try {
    if (head === undefined || head.kind === 'monitor') {
      // Its evidence came from the first conversation: handshake, and a ping.
      const peer = await opener.open({}, 'sanity')
      await peer.settle()
      await awaitAgain(peer, observer, blames)
    } else {
      const scenario = (await loadSuite(head.id)) as AnyScenario
      const sessions = createSessions(opener, 'alone')
      const taken = await sessions.take(head.id, scenario)
      if ('peer' in taken) {
        const claims = claimsOf(head, context.role, context.via, context.spec)
        results.push(...(await judgeScenario(context, { head, claims }, scenario, taken.peer)))
        // What comes late must have its chance again, too.
        await taken.peer.settle()
        await awaitAgain(taken.peer, observer, blames)
      }
    }
  } finally {
    await opener.close()
    observer.close()
  }
  return [...results, ...seenAgain(observer, context)]
}
