/** Runs one scenario against the reference server, with a fault in it or without. */
import { execute } from '../engine/execute.ts'
import { createObserver, type NamedMonitor } from '../engine/observe.ts'
import { createSessionFactory } from '../peers/session-factory.ts'
import type { Timeouts } from '../peers/target.ts'
import type { ServerFault } from '../suite/defects.ts'
import type { AnyScenario } from '../suite/server-scenario.ts'
import { createLog } from '../wire/log.ts'
import type { Case, Driven } from './cases.ts'
import { inItsTime } from './proof-clock.ts'
import { type ReferenceTarget, referenceTarget } from './reference-target.ts'

/**
 * The reference answers within a millisecond, so short waits are enough; they are still far above
 * what a loaded machine needs, because a proof must not depend on luck.
 */
const TIMEOUTS: Timeouts = { handshakeMs: 2_500, replyMs: 1_500, graceMs: 15, watchMs: 60, exitMs: 1_000 }

/** A faulty program has to start first, on a machine that may be busy; it lives by the clock on the wall. */
const PROGRAM_TIMEOUTS: Timeouts = { ...TIMEOUTS, handshakeMs: 10_000 }

export const driveServer = (
  id: string,
  scenario: AnyScenario,
  one: Case,
  monitors: readonly NamedMonitor[],
): Promise<Driven> => inItsTime(one.fault, () => drive(id, scenario, one, monitors))

async function drive(id: string, scenario: AnyScenario, one: Case, monitors: readonly NamedMonitor[]): Promise<Driven> {
  return driveTarget(
    await referenceTarget(one.via, one.spec, one.fault as ServerFault | undefined),
    id,
    scenario,
    one,
    monitors,
  )
}

/** The same on a target of any kind, which is closed afterwards. */
export async function driveTarget(
  target: ReferenceTarget,
  id: string,
  scenario: AnyScenario,
  one: Pick<Case, 'via' | 'spec' | 'fault'>,
  monitors: readonly NamedMonitor[],
): Promise<Driven> {
  const log = createLog()
  const observer = createObserver(monitors, log, { via: one.via, role: 'server', offered: one.spec })
  const opener = createSessionFactory({
    access: target.access,
    revision: one.spec,
    timeouts: one.fault !== undefined && 'program' in one.fault ? PROGRAM_TIMEOUTS : TIMEOUTS,
    log,
    ahead: 0,
    onSession: (session, event) => {
      if (event === 'ends') observer.end(session)
    },
  })
  try {
    const hello = scenario.session === 'no-handshake' ? 'no-handshake' : (scenario.hello ?? {})
    const peer = await opener.open(hello, id)
    const { judgements, error } = await execute(id, scenario, peer)
    await opener.close()
    observer.close()
    const fault = error ?? [...observer.broken.values()][0]
    return { judgements, observed: observer.observed(), error: fault }
  } finally {
    await opener.close()
    await target.close()
  }
}
