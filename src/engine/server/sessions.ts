/**
 * Gives each scenario the conversation it asks for. Those that may be shared are kept open: first for scenarios that leave
 * no traces, then for those that do, each behind an answered ping.
 */
import { type OpenPeer, showsLife } from '../../peers/open-peer.ts'
import type { SessionFactory } from '../../peers/session-factory.ts'
import type { AnyScenario } from '../../suite/server-scenario.ts'
import { openFor } from './open-session.ts'
import {
  createGroups,
  expectIn,
  freeIn,
  type Group,
  hasRoom,
  leavesTraces,
  type Shared,
  type Sharing,
} from './session-groups.ts'

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

export function createSessions(factory: SessionFactory, sharing: Sharing): Sessions {
  const groups = createGroups(sharing)
  const inUse = new Map<OpenPeer, Shared>()
  const forget = (group: Group, peer: OpenPeer): void => {
    group.open -= 1
    void peer.close()
  }

  return {
    expect(scenarios) {
      for (const scenario of scenarios) expectIn(groups.of(scenario), scenario)
    },
    isReady: scenario => hasRoom(groups.of(scenario), scenario, sharing.perSession),
    async take(id, scenario) {
      const group = groups.of(scenario)
      if (group !== undefined && !leavesTraces(scenario)) group.clean -= 1
      const free = group === undefined ? undefined : freeIn(group, scenario)
      if (free !== undefined && group !== undefined) {
        group.free.splice(group.free.indexOf(free), 1)
        inUse.set(free.peer, free)
        return { peer: free.peer, used: 'before' }
      }
      if (group !== undefined) group.open += 1
      const opened = await openFor(factory, scenario, id)
      if (!('peer' in opened)) {
        if (group !== undefined) group.open -= 1
        return opened
      }
      if (group !== undefined) inUse.set(opened.peer, { peer: opened.peer, traces: false })
      return { ...opened, used: 'for the first time' }
    },
    async give(scenario, peer) {
      const group = groups.of(scenario)
      const shared = inUse.get(peer)
      inUse.delete(peer)
      if (group === undefined || shared === undefined) {
        void peer.close()
        return
      }
      const answer = peer.isGone ? undefined : await peer.request(peer.liveness)
      // Desynchronised is not dead: the process lives, but a fresh ping gets no answer. Either way it is of no more use.
      if (answer === undefined || !showsLife(answer)) {
        forget(group, peer)
        return
      }
      sharing.onAnswer?.(answer.afterMs)
      group.free.push({ peer, traces: shared.traces || leavesTraces(scenario) })
    },
    adopt(peer) {
      const group = groups.ordinary
      group.open += 1
      group.free.push({ peer, traces: false })
    },
    free: () => groups.ordinary.free[0]?.peer,
    async isAlive() {
      for (const { peer } of groups.all().flatMap(group => group.free)) if (await peer.alive()) return true
      return false
    },
    async close() {
      const open = groups.all().flatMap(group => group.free.splice(0))
      await Promise.all(open.map(({ peer }) => peer.close()))
    },
  }
}
