/** From the options to what is run: targets of either role, each with what drives it. */
import { clientDriver } from '../engine/client/client-driver.ts'
import type { RunOutcome } from '../engine/result.ts'
import type { RunOptions } from '../engine/role-driver.ts'
import { runTarget, type Target } from '../engine/run.ts'
import { serverDriver } from '../engine/server/server-driver.ts'
import type { Revision } from '../spec/revision.ts'
import type { HeaderList } from '../wire/log.ts'
import { clientTimeoutsOf, prepareClients } from './client-targets.ts'
import { callToolsOf, type RunFlags, timeoutsOf } from './flags.ts'
import { prepare } from './targets.ts'

export interface PreparedTarget {
  at: string
  target: Target
  /** the command that runs it again, without its selection */
  reproduce: string
  /** the transport was not asked for: a client that does not come over it is no fault */
  optional: boolean
  close(): Promise<void>
}

export async function prepareTargets(
  flags: RunFlags,
  revision: Revision,
  headers: HeaderList,
  environment: HeaderList,
): Promise<PreparedTarget[]> {
  if (flags.client !== undefined) {
    const timeouts = clientTimeoutsOf(flags.timeout)
    return prepareClients(flags, environment, revision).map(({ access, ...one }) => ({
      ...one,
      target: { role: 'client', via: access.via, driver: clientDriver({ access, timeouts }) },
      close: async () => {},
    }))
  }
  const timeouts = timeoutsOf(flags.timeout)
  const callTools = callToolsOf(flags.callTools)
  return (await prepare(flags, headers, environment, timeouts)).map(({ access, ...one }) => ({
    ...one,
    target: { role: 'server', via: access.via, driver: serverDriver({ access, timeouts, callTools }) },
    optional: false,
  }))
}

/** Servers side by side: they wait more than they work. Clients one after the other; an interruption leaves out the rest. */
export async function runTargets(
  targets: readonly PreparedTarget[],
  options: Omit<RunOptions, 'at' | 'reproduce'>,
  reproduceBy: (command: string) => RunOptions['reproduce'],
): Promise<RunOutcome[]> {
  const run = ({ at, target, reproduce }: PreparedTarget, label?: string): Promise<RunOutcome> =>
    runTarget(target, { ...options, at, reproduce: reproduceBy(reproduce), ...(label === undefined ? {} : { label }) })
  if (targets.length > 1 && targets.every(({ target }) => target.role === 'server'))
    return Promise.all(targets.map(one => run(one, `${one.target.via}.`)))
  const outcomes: RunOutcome[] = []
  for (const one of targets) {
    if (options.signal.aborted && outcomes.length > 0) break
    outcomes.push(await run(one))
  }
  return targets.some(one => one.optional) ? withoutUnused(outcomes) : outcomes
}

/** A transport that nobody asked for and that the client does not use is no result; it is said, and left at that. */
function withoutUnused(outcomes: RunOutcome[]): RunOutcome[] {
  const used = outcomes.filter(outcome => outcome.trouble?.kind !== 'silent')
  if (used.length === 0 || used.length === outcomes.length) return outcomes
  const unused = outcomes.find(outcome => !used.includes(outcome))?.targets[0]?.via
  used[0]?.notes.push(`The client does not use ${unused === 'http' ? 'HTTP' : 'stdio'}, so it was not tested there.`)
  return used
}
