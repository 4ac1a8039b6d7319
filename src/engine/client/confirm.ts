/** A red verdict about a client is reported only after its script was played again, alone, with the same end. */

import type { AnyClientScenario } from '../../suite/client-scenario.ts'
import { groupedByScenario } from '../confirm.ts'
import { loadSuite } from '../discover.ts'
import { seenAgain } from '../monitor-results.ts'
import { createObserver } from '../observe.ts'
import { claimsOf } from '../plan.ts'
import type { Result } from '../result.ts'
import { resultsOf } from '../scenario.ts'
import { settle } from '../settle.ts'
import { isRed } from '../verdict.ts'
import { judgeRun } from './judge.ts'
import { type ClientSituation, endSessions, FIRST } from './situation.ts'

/** Marks each red as confirmed, or turns it into a warning. Returns true when one did not repeat. */
export async function confirmClientReds(situation: ClientSituation, results: Result[]): Promise<boolean> {
  const reds = results.filter(result => isRed(result.verdict))
  let unstable = false
  for (const [scenario, group] of groupedByScenario(reds)) {
    situation.options.listen({ type: 'confirming', id: scenario })
    if (settle(group, await again(situation, scenario))) unstable = true
  }
  return unstable
}

async function again(situation: ClientSituation, id: string): Promise<Result[]> {
  const { options, context, monitors } = situation
  const head = options.heads.find(one => one.id === id)
  const observer = createObserver(monitors, options.log, {
    via: context.via,
    role: 'client',
    offered: options.revision,
  })
  const results: Result[] = []
  try {
    if (head?.kind === 'client-scenario') {
      const scenario = (await loadSuite(id)) as AnyClientScenario
      const { run, error } = await situation.start(scenario.script, id)
      const claims = claimsOf(head, 'client', context.via, context.spec)
      results.push(...resultsOf(context, { head, claims }, judgeRun(scenario, run, error)))
      endSessions(observer, run)
    } else {
      const { run } = await situation.start(FIRST, 'sanity')
      endSessions(observer, run)
    }
  } finally {
    observer.close()
  }
  return [...results, ...seenAgain(observer, context)]
}
