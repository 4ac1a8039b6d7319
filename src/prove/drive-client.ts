/** Plays the script of one scenario to the reference client, with a fault in it or without. */

import { endSessions } from '../engine/client/client-driver.ts'
import { judgeRun } from '../engine/client/judge.ts'
import { type ClientTimeouts, startClient } from '../engine/client/run-script.ts'
import { createObserver, type NamedMonitor } from '../engine/observe.ts'
import type { AnyClientScenario, ClientFault } from '../suite/client-scenario.ts'
import { createLog } from '../wire/log.ts'
import type { Case, Driven } from './cases.ts'
import { inItsTime } from './proof-clock.ts'
import { referenceClient } from './reference-client.ts'

/** The reference client is done in some milliseconds; only a fault makes it last as long as this. */
const TIMEOUTS: ClientTimeouts = { clientMs: 8_000, replyMs: 1_500, exitMs: 300, graceMs: 15 }
/** A faulty program has to start first, on a machine that may be busy; it lives by the clock on the wall. */
const PROGRAM_TIMEOUTS: ClientTimeouts = { ...TIMEOUTS, clientMs: 15_000 }

export const driveClient = (
  id: string,
  scenario: AnyClientScenario,
  one: Case,
  monitors: readonly NamedMonitor[],
): Promise<Driven> => inItsTime(one.fault, () => drive(id, scenario, one, monitors))

async function drive(
  id: string,
  scenario: AnyClientScenario,
  one: Case,
  monitors: readonly NamedMonitor[],
): Promise<Driven> {
  const log = createLog()
  const observer = createObserver(monitors, log, { via: one.via, role: 'client', offered: one.spec })
  const fault = one.fault as ClientFault | undefined
  try {
    const { run, error } = await startClient(scenario.script, {
      access: referenceClient(one.via, fault),
      revision: one.spec,
      timeouts: fault !== undefined && 'program' in fault ? PROGRAM_TIMEOUTS : TIMEOUTS,
      log,
      label: 'c1',
      scenario: id,
    })
    const judged = judgeRun(scenario, run, error)
    endSessions(observer, run)
    observer.close()
    return {
      judgements: judged.judgements,
      observed: observer.observed(),
      error: judged.error ?? [...observer.broken.values()][0],
    }
  } finally {
    observer.close()
  }
}
