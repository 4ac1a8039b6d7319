/** A scenario for servers: acts through the peer, which is our client, and yields judgements about its claims. */
import type { Hello } from '../dialects/family.ts'
import type { ServerPeer } from '../peers/server-peer.ts'
import type { Via } from '../spec/catalogue.ts'
import type { Revision } from '../spec/revision.ts'
import type { Citation } from './citation.ts'
import type { Defect, Variant } from './defects.ts'
import { unmet, type Yielded } from './judgement.ts'
import { offers } from './lists.ts'

export interface ServerScenario<C extends string> {
  /** a plain sentence about the target */
  title: string
  claims: Record<C, Citation>
  needs?: ServerNeeds
  /**
   * Which conversation it runs in. `shared`: one that other scenarios with an equal hello used before, and leaves it as it
   * found it. `own`: one that may have been used before by others that leave traces, as it does itself. `fresh`: one that
   * begins with it. `process`: the same, and its end is part of it. `no-handshake`: it begins the conversation by itself.
   */
  session?: 'shared' | 'own' | 'fresh' | 'process' | 'no-handshake'
  hello?: Hello
  /** timing matters: nothing runs beside it */
  exclusive?: true
  /** may bring the target down: nothing that has to live runs beside it */
  harmful?: true
  run(peer: ServerPeer): AsyncIterable<Yielded<NoInfer<C>>>
  defects: Defect<NoInfer<C>>[]
  variants?: Variant<NoInfer<C>>[]
}

/** Without it the scenario does not run: a feature not declared is not applicable, a fixture not offered leaves the claims untested. */
export interface ServerNeeds {
  /** a path into the declared capabilities, such as `resources.subscribe` */
  capability?: string
  via?: Via
  /** a fixture of the compatibility contract that the target has to list */
  fixture?: Fixture
  since?: Revision
  until?: Revision
}

export type Fixture = { tool: string } | { prompt: string } | { resource: string }

export type AnyScenario = ServerScenario<string> & { kind: 'server-scenario' }

export const serverScenario = <const C extends string>(scenario: ServerScenario<C>): AnyScenario => {
  const fixture = scenario.needs?.fixture
  const run = fixture === undefined ? scenario.run : withFixture(fixture, scenario.run)
  return { ...scenario, run, kind: 'server-scenario' } as unknown as AnyScenario
}

/** The run, where the target lists the fixture. */
const withFixture = <C extends string>(fixture: Fixture, run: ServerScenario<C>['run']): ServerScenario<C>['run'] =>
  async function* (peer) {
    const [kind, name] = Object.entries(fixture)[0] as ['tool' | 'prompt' | 'resource', string]
    if (await offers(peer, `${kind}s`, name)) yield* run(peer)
    else yield unmet(`fixture ${name} not offered`)
  }
