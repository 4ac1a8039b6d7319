/** The open sessions of a server by what they were opened with, and which of them a scenario may have. */
import type { OpenPeer } from '../../peers/open-peer.ts'
import type { AnyScenario } from '../../suite/server-scenario.ts'

export interface Sharing {
  /** Scenarios that one conversation is opened for; with more of them a second one is worth it. */
  perSession: number
  /** What leaves traces may follow others of its kind; else it has a conversation of its own. */
  own: 'share' | 'alone'
  /** hears how long each look at a session's life took */
  onAnswer?: (answerMs: number) => void
}

export interface Shared {
  peer: OpenPeer
  /** what had it before may have left something behind */
  traces: boolean
}

/** Sessions with one hello. */
export interface Group {
  free: Shared[]
  /** how many are open, or about to be */
  open: number
  expected: number
  /** scenarios without traces that are still to come */
  clean: number
}

export interface Groups {
  /** Those with an ordinary hello. */
  readonly ordinary: Group
  /** Where the scenario may share; undefined where it has a session of its own. */
  of(scenario: AnyScenario): Group | undefined
  all(): Group[]
}

export function createGroups(sharing: Sharing): Groups {
  const groups = new Map<string, Group>()
  const withHello = (hello: object): Group => {
    const key = JSON.stringify(hello)
    const known = groups.get(key) ?? { free: [], open: 0, expected: 0, clean: 0 }
    groups.set(key, known)
    return known
  }
  return {
    get ordinary() {
      return withHello({})
    },
    of: scenario => (isShared(scenario, sharing) ? withHello(scenario.hello ?? {}) : undefined),
    all: () => [...groups.values()],
  }
}

/** One that is free for the scenario. */
export function freeIn(group: Group, scenario: AnyScenario): Shared | undefined {
  const clean = group.free.find(one => !one.traces)
  if (!leavesTraces(scenario)) return clean
  // One without traces is for those that leave none, as long as they come.
  return group.free.find(one => one.traces) ?? (group.clean > 0 ? undefined : clean)
}

/** A scenario will come. */
export function expectIn(group: Group | undefined, scenario: AnyScenario): void {
  if (group === undefined) return
  group.expected += 1
  if (!leavesTraces(scenario)) group.clean += 1
}

/** A session is free for the scenario, or another one is worth its opening. */
export function hasRoom(group: Group | undefined, scenario: AnyScenario, perSession: number): boolean {
  if (group === undefined || freeIn(group, scenario) !== undefined) return true
  if (leavesTraces(scenario) && group.clean > 0) return false
  return group.open < Math.max(1, Math.ceil(group.expected / perSession))
}

export const leavesTraces = ({ session }: AnyScenario): boolean => session === 'own'

const isShared = ({ session = 'shared' }: AnyScenario, { own }: Sharing): boolean =>
  session === 'shared' || (session === 'own' && own === 'share')
