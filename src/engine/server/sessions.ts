/**
 * Gives each scenario the conversation it asks for. Those that may be shared are kept open: first for scenarios that leave
 * no traces, then for those that do, each behind an answered ping.
 */
import { type OpenPeer, showsLife } from '../../peers/open-peer.ts'
import type { SessionFactory } from '../../peers/session-factory.ts'
import type { AnyScenario } from '../../suite/server-scenario.ts'

export type Taken = { peer: OpenPeer; used: 'for the first time' | 'before' } | { why: string; dead: boolean }

export interface Sessions {
  /** What will be taken: how many conversations are worth their opening follows from it. */
  expect(scenarios: readonly AnyScenario[]): void
  /** Whether its conversation is free, or may be opened. Ask right before `take`. */
  isReady(scenario: AnyScenario): boolean
  /** Finds a free session or opens one. `why`: no handshake came about; `dead`: nothing answers any more. */
  take(id: string, scenario: AnyScenario): Promise<Taken>
  /** The scenario is over: a session of its own is closed, a damaged one is given up, any other is free for the next. */
  give(scenario: AnyScenario, peer: OpenPeer): Promise<void>
  /** Takes care of an open session that nobody has used. */
  adopt(peer: OpenPeer): void
  /** One with an ordinary hello that nobody uses. */
  free(): OpenPeer | undefined
  /** Whether one that is kept open answers. */
  isAlive(): Promise<boolean>
  close(): Promise<void>
}

export interface Sharing {
  /** Scenarios that one conversation is opened for; with more of them a second one is worth it. */
  perSession: number
  /** What leaves traces may follow others of its kind; else it has a conversation of its own. */
  own: 'share' | 'alone'
  /** hears how long each look at a session's life took */
  onAnswer?: (answerMs: number) => void
}

interface Shared {
  peer: OpenPeer
  /** what had it before may have left something behind */
  traces: boolean
}

/** Sessions with one hello. */
interface Group {
  free: Shared[]
  /** how many are open, or about to be */
  open: number
  expected: number
  /** scenarios without traces that are still to come */
  clean: number
}

export function createSessions(factory: SessionFactory, sharing: Sharing): Sessions {
  const groups = createGroups(sharing)
  const inUse = new Map<OpenPeer, Shared>()

  return {
    expect: groups.expect,
    isReady: groups.isReady,
    async take(id, scenario) {
      const group = groups.of(scenario)
      if (group === undefined) {
        const opened = await openFor(factory, scenario, id)
        return 'peer' in opened ? { ...opened, used: 'for the first time' } : opened
      }
      if (!leavesTraces(scenario)) group.clean -= 1
      const free = freeIn(group, scenario)
      if (free !== undefined) {
        group.free.splice(group.free.indexOf(free), 1)
        inUse.set(free.peer, free)
        return { peer: free.peer, used: 'before' }
      }
      group.open += 1
      const opened = await openFor(factory, scenario, id)
      if (!('peer' in opened)) {
        group.open -= 1
        return opened
      }
      inUse.set(opened.peer, { peer: opened.peer, traces: false })
      return { ...opened, used: 'for the first time' }
    },
    async give(scenario, peer) {
      const group = groups.of(scenario)
      const shared = inUse.get(peer)
      inUse.delete(peer)
      const answer =
        group === undefined || shared === undefined || peer.isGone ? undefined : await peer.request(peer.liveness)
      // Desynchronised is not dead: the process lives, but a fresh ping gets no answer. Either way it is of no more use.
      if (group === undefined || shared === undefined || answer === undefined || !showsLife(answer)) {
        if (group !== undefined && shared !== undefined) group.open -= 1
        void peer.close()
        return
      }
      sharing.onAnswer?.(answer.afterMs)
      group.free.push({ peer, traces: shared.traces || leavesTraces(scenario) })
    },
    adopt: groups.adopt,
    free: () => groups.with({}).free[0]?.peer,
    async isAlive() {
      for (const group of groups.all()) for (const { peer } of group.free) if (await peer.alive()) return true
      return false
    },
    async close() {
      const open = groups.all().flatMap(group => group.free.splice(0))
      await Promise.all(open.map(({ peer }) => peer.close()))
    },
  }
}

interface Groups extends Pick<Sessions, 'expect' | 'isReady' | 'adopt'> {
  all(): Group[]
  with(hello: object): Group
  /** Undefined where the scenario has a conversation of its own. */
  of(scenario: AnyScenario): Group | undefined
}

function createGroups(sharing: Sharing): Groups {
  const groups = new Map<string, Group>()
  const withHello = (hello: object): Group => {
    const key = JSON.stringify(hello)
    const known = groups.get(key) ?? { free: [], open: 0, expected: 0, clean: 0 }
    groups.set(key, known)
    return known
  }
  const of = (scenario: AnyScenario): Group | undefined =>
    isShared(scenario, sharing) ? withHello(scenario.hello ?? {}) : undefined
  return {
    all: () => [...groups.values()],
    with: withHello,
    of,
    expect(scenarios) {
      for (const scenario of scenarios) {
        const group = of(scenario)
        if (group === undefined) continue
        group.expected += 1
        if (!leavesTraces(scenario)) group.clean += 1
      }
    },
    isReady(scenario) {
      const group = of(scenario)
      if (group === undefined || freeIn(group, scenario) !== undefined) return true
      if (leavesTraces(scenario) && group.clean > 0) return false
      return group.open < Math.max(1, Math.ceil(group.expected / sharing.perSession))
    },
    adopt(peer) {
      const group = withHello({})
      group.open += 1
      group.free.push({ peer, traces: false })
    },
  }
}

function freeIn(group: Group, scenario: AnyScenario): Shared | undefined {
  const clean = group.free.find(one => !one.traces)
  if (!leavesTraces(scenario)) return clean
  // One without traces is for those that leave none, as long as they come.
  return group.free.find(one => one.traces) ?? (group.clean > 0 ? undefined : clean)
}

const leavesTraces = ({ session }: AnyScenario): boolean => session === 'own'

const isShared = ({ session = 'shared' }: AnyScenario, { own }: Sharing): boolean =>
  session === 'shared' || (session === 'own' && own === 'share')

/** A conversation that begins with the scenario and is shared with none. */
export async function openFor(
  factory: SessionFactory,
  { hello = {}, session }: AnyScenario,
  id: string,
): Promise<{ peer: OpenPeer } | { why: string; dead: boolean }> {
  if (session === 'no-handshake') return { peer: await factory.open('no-handshake', id) }
  // One retry: a server that is just being restarted by somebody else deserves it, and it costs little.
  for (let attempt = 1; ; attempt += 1) {
    const peer = await factory.open(hello, id)
    if (peer.opening?.kind === 'result') return { peer }
    const why = refusal(peer)
    const timedOut = peer.opening?.kind === 'none' && peer.opening.why === 'timeout'
    void peer.close()
    if (attempt === 2 || timedOut) return { why, dead: peer.opening?.kind === 'none' }
  }
}

function refusal(peer: OpenPeer): string {
  const opening = peer.opening
  if (opening === undefined) return 'no handshake was tried'
  switch (opening.kind) {
    case 'error':
      return `the handshake was refused with error ${opening.code}: ${opening.message}`
    case 'http-error':
      return `the handshake was refused with HTTP ${opening.http.status}`
    case 'none':
      return opening.why === 'timeout'
        ? 'initialize was not answered'
        : `the handshake failed: ${opening.detail ?? opening.why}`
    case 'result':
      return 'the handshake succeeded'
  }
}
