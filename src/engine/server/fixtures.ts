/**
 * Looks up once which fixtures the target lists, so that no conversation is opened only to find out that one is missing.
 * A server may show a tool only to clients that can serve it. So it counts as missing where neither a client that declares
 * nothing is shown it nor one that declares all that the scenarios would declare. Where a list cannot be read, nothing is
 * concluded, and each scenario looks for itself.
 */
import type { OpenPeer } from '../../peers/open-peer.ts'
import { listAll } from '../../suite/lists.ts'
import type { AnyScenario, Fixture } from '../../suite/server-scenario.ts'
import { isObject, type JsonObject, textAt } from '../../wire/json-rpc.ts'

/** Where fixtures of a kind are listed, and by which member they are named. */
const LISTS = {
  tool: { capability: 'tools', named: 'name' },
  prompt: { capability: 'prompts', named: 'name' },
  resource: { capability: 'resources', named: 'uri' },
} as const

type FixtureKind = keyof typeof LISTS

/** With fewer conversations than that at stake the look costs more than it saves. */
const WORTH_IT = 3

/** Whether so many conversations depend on fixtures that it is worth to look first. */
export const isWorthALook = (scenarios: readonly AnyScenario[]): boolean =>
  new Set(
    scenarios
      .filter(one => one.needs?.fixture !== undefined)
      .map(one => (one.session === 'fresh' ? one : JSON.stringify(one.hello ?? {}))),
  ).size >= WORTH_IT

/** All that the scenarios with fixtures declare, in one. */
export const allCapabilities = (scenarios: readonly AnyScenario[]): JsonObject =>
  scenarios
    .filter(one => one.needs?.fixture !== undefined)
    .reduce<JsonObject>((all, one) => merged(all, one.hello?.capabilities ?? {}), {})

function merged(a: JsonObject, b: JsonObject): JsonObject {
  const all = { ...a }
  for (const [key, value] of Object.entries(b)) {
    const known = all[key]
    all[key] = isObject(known) && isObject(value) ? merged(known, value) : value
  }
  return all
}

/** The fixtures that none of the peers is shown, as `kind name`. */
export async function missingFixtures(
  peers: readonly OpenPeer[],
  scenarios: readonly AnyScenario[],
): Promise<ReadonlySet<string>> {
  const wanted = new Map<string, [FixtureKind, string]>()
  for (const { needs } of scenarios)
    if (needs?.fixture !== undefined) wanted.set(fixtureKey(needs.fixture), partsOf(needs.fixture))
  const missing = new Set<string>()
  for (const kind of new Set([...wanted.values()].map(([one]) => one))) {
    const listed = await Promise.all(peers.map(peer => namesOf(peer, kind)))
    if (listed.some(names => names === undefined)) continue
    for (const [key, [one, name]] of wanted)
      if (one === kind && !listed.some(names => names?.has(name))) missing.add(key)
  }
  return missing
}

export const fixtureKey = (fixture: Fixture): string => partsOf(fixture).join(' ')

export const partsOf = (fixture: Fixture): [FixtureKind, string] => Object.entries(fixture)[0] as [FixtureKind, string]

async function namesOf(peer: OpenPeer, kind: FixtureKind): Promise<Set<string> | undefined> {
  const { capability, named } = LISTS[kind]
  if (!isObject(peer.capabilities[capability])) return new Set()
  const { entries, replies } = await listAll(peer, `${capability}/list`, capability)
  if (replies.at(-1)?.kind !== 'result') return undefined
  return new Set(entries.flatMap(entry => textAt(entry, named) ?? []))
}
