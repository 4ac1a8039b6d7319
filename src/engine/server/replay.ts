/** Plays a scenario again, alone, on a fresh session, for the reds that are to be confirmed. */
import type { OpenPeer } from '../../peers/open-peer.ts'
import { createSessionFactory, type SessionFactory } from '../../peers/session-factory.ts'
import type { AnyScenario } from '../../suite/server-scenario.ts'
import { loadSuite } from '../discover.ts'
import { execute } from '../execute.ts'
import { isFault } from '../faults.ts'
import { seenAgain } from '../monitor-results.ts'
import { createObserver, type Observer } from '../observe.ts'
import { claimsOf } from '../plan.ts'
import type { Result } from '../result.ts'
import { resultsOf } from '../scenario-results.ts'
import { isMonitorId, SANITY } from '../suite-id.ts'
import type { ServerRun } from './server-run.ts'
import { openFor } from './sessions.ts'

/** `label` goes in front of the names of its sessions, so that repetitions side by side are told apart. */
export async function replayOn(
  run: ServerRun,
  label: string,
  scenario: string,
  blamed: readonly Result[],
): Promise<{ results: Result[]; starts: number }> {
  const { context, monitors, options, server } = run
  const observer = createObserver(monitors, options.log, {
    via: context.via,
    role: 'server',
    offered: run.factory.revision,
    label,
  })
  const factory = createSessionFactory({
    ...server,
    revision: run.factory.revision,
    log: options.log,
    ahead: 0,
    label,
    onSession: (session, event) => {
      if (event === 'ends') observer.end(session)
    },
  })
  factory.liveness = run.factory.liveness
  const results: Result[] = []
  try {
    if (isMonitorId(scenario) || scenario === SANITY) await beginAgain(factory, observer, blamed)
    else results.push(...(await judgeAgain(run, factory, observer, scenario, blamed)))
  } finally {
    await factory.close()
    observer.close()
  }
  return { results: [...results, ...seenAgain(observer, context)], starts: factory.starts }
}

/** The evidence came from the first conversation: handshake, and a ping. */
async function beginAgain(factory: SessionFactory, observer: Observer, blamed: readonly Result[]): Promise<void> {
  const peer = await factory.open({}, SANITY)
  await peer.settle()
  await awaitAgain(peer, observer, blamed)
}

async function judgeAgain(
  { context, options }: ServerRun,
  factory: SessionFactory,
  observer: Observer,
  id: string,
  blamed: readonly Result[],
): Promise<Result[]> {
  const head = options.heads.find(one => one.id === id)
  if (head === undefined) return []
  const scenario = (await loadSuite(id)) as AnyScenario
  const taken = await openFor(factory, scenario, id)
  if (!('peer' in taken)) return []
  const claims = claimsOf(head, 'server', context.via, context.spec)
  const results = resultsOf(context, { head, claims }, await execute(id, scenario, taken.peer))
  // What comes late must have its chance again, too.
  await taken.peer.settle()
  await awaitAgain(taken.peer, observer, blamed)
  return results
}

/** How many times `watchMs` a monitor gets to see again what it saw, while nothing else is going on. */
const WATCHES = 5

/** Watches until each monitor that is blamed has seen its fault again; at most for some seconds. */
async function awaitAgain(peer: OpenPeer, observer: Observer, blamed: readonly Result[]): Promise<void> {
  const wanted = blamed.filter(one => isMonitorId(one.scenario))
  const again = (one: Result): boolean =>
    observer
      .observed()
      .some(({ monitor, claim, worst }) => monitor === one.scenario && claim === one.claim && isFault(worst.outcome))
  for (let count = 0; count < WATCHES && !wanted.every(again); count += 1) await peer.watch()
}
