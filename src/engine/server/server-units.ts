/** Cuts a plan against a server into units: each scenario is one, in the order in which they share conversations best. */
import type { Access } from '../../peers/connections.ts'
import { NotReady } from '../../peers/launched-server.ts'
import type { OpenPeer } from '../../peers/open-peer.ts'
import type { AnyScenario } from '../../suite/server-scenario.ts'
import { loadSuite } from '../discover.ts'
import type { Planned } from '../plan.ts'
import type { Unit } from '../role-driver.ts'
import { SANITY } from '../suite-id.ts'
import { allCapabilities, fixtureKey, isWorthALook, missingFixtures, partsOf } from './fixtures.ts'
import type { ServerRun } from './server-run.ts'
import type { Sessions } from './sessions.ts'

export interface ServerUnit extends Unit {
  one: Planned
  scenario: AnyScenario
  /** a fixture that it needs and that the target does not list */
  lacks: string | undefined
}

/** Those that share go first, those that leave traces behind them: they take over what the others have opened. */
const RANK = { shared: 0, own: 1, fresh: 2, process: 2, 'no-handshake': 2 }

/**
 * Over stdio a process stands for itself, so that nothing needs to run alone there: what overwhelms one leaves the others
 * in peace. A server that we can start again may be brought down by several at a time, for each of them is then asked
 * alone; of one that we cannot, the first one to bring it down has to be known.
 */
function companyOf({ exclusive, harmful }: AnyScenario, access: Access): Unit['company'] {
  if (access.via === 'stdio') return 'any'
  if (exclusive === true) return 'none'
  if (harmful === true) return access.ready === undefined ? 'none' : 'harmful'
  return 'any'
}

export async function unitsOf(run: ServerRun, sessions: Sessions, planned: readonly Planned[]): Promise<ServerUnit[]> {
  const loaded = await Promise.all(
    planned.map(async one => ({ one, scenario: (await loadSuite(one.head.id)) as AnyScenario })),
  )
  const missing = await missingFrom(
    run,
    sessions,
    loaded.map(({ scenario }) => scenario),
  )
  return loaded
    .map(({ one, scenario }) => {
      const fixture = scenario.needs?.fixture
      const lacks = fixture !== undefined && missing.has(fixtureKey(fixture)) ? partsOf(fixture)[1] : undefined
      const company = lacks === undefined ? companyOf(scenario, run.server.access) : 'any'
      return { members: [one], one, scenario, lacks, company }
    })
    .sort((a, b) => RANK[a.scenario.session ?? 'shared'] - RANK[b.scenario.session ?? 'shared'])
}

async function missingFrom(
  { factory }: ServerRun,
  sessions: Sessions,
  scenarios: readonly AnyScenario[],
): Promise<ReadonlySet<string>> {
  const plain = sessions.free()
  if (plain === undefined || !isWorthALook(scenarios)) return new Set()
  let able: OpenPeer
  try {
    able = await factory.open({ capabilities: allCapabilities(scenarios) }, SANITY)
  } catch (problem) {
    if (problem instanceof NotReady) return new Set()
    throw problem
  }
  const missing = able.opening?.kind === 'result' ? await missingFixtures([plain, able], scenarios) : new Set<string>()
  void able.close()
  return missing
}
