/** Runs the monitors over the log: a state for each monitor and session, each frame seen once. */
import { readSpokenRevision } from '../dialects/spoken-revision.ts'
import { describe, evidenceOf, type Got } from '../peers/reply.ts'
import { holdsIn, judges, loadCatalogue, type Side, type Via } from '../spec/catalogue.ts'
import { type Revision, spans } from '../spec/revision.ts'
import type { AnyMonitor, Judgement } from '../suite.ts'
import type { Frame, WireLog } from '../wire/log.ts'
import { citedBy } from './discover.ts'
import { worse } from './verdict.ts'

export interface Observed {
  monitor: string
  claim: string
  requirement: string
  spec: Revision
  judgement: Judgement<string>
  /** the scenario during which the first such evidence came */
  scenario: string | undefined
}

export interface Observer {
  /** The worst judgement of each claim, so far. */
  observed(): Observed[]
  /** Monitors that threw: a fault of ours, which must not disturb the wire. */
  readonly broken: ReadonlyMap<string, Error>
  /** A session has ended: its monitors draw their last conclusions. */
  end(session: string): void
  /** Drops what was seen so far: it was said before it was clear which revisions the target speaks. */
  forget(): void
  /** Ends every session and stops observing. */
  close(): void
}

export interface NamedMonitor {
  id: string
  monitor: AnyMonitor
}

export function createObserver(
  monitors: readonly NamedMonitor[],
  log: WireLog,
  context: { via: Via; role: Side; offered: Revision },
): Observer {
  const sessions = new Map<string, SessionState>()
  const found = new Map<string, Observed>()
  const broken = new Map<string, Error>()

  const sessionOf = (name: string): SessionState => {
    const known = sessions.get(name)
    if (known !== undefined) return known
    const spoken = readSpokenRevision(context.offered)
    const state: SessionState = {
      see: spoken.see,
      get revision() {
        return spoken.revision
      },
      states: [],
    }
    state.states = monitors.map(({ monitor }) =>
      monitor.start({ via: context.via, role: context.role, revision: () => state.revision }),
    )
    sessions.set(name, state)
    return state
  }
  const keep = (
    monitor: NamedMonitor,
    session: SessionState,
    judgements: Iterable<Judgement<string>>,
    frame: Frame | undefined,
  ): void => {
    for (const judgement of judgements) {
      const citation = monitor.monitor.claims[judgement.claim]
      const requirement = citation === undefined ? undefined : citedBy(citation, session.revision)
      if (requirement === undefined) continue
      const entry = loadCatalogue(session.revision).find(requirement)
      if (entry === undefined || !holdsIn(entry, session.revision) || !judges(entry, context.role)) continue
      const key = `${monitor.id} ${judgement.claim}`
      const known = found.get(key)
      if (known !== undefined && !worse(judgement.outcome, known.judgement.outcome)) continue
      found.set(key, {
        monitor: monitor.id,
        claim: judgement.claim,
        requirement,
        spec: session.revision,
        // Evidence is kept to the end of the run; a frame may hold megabytes.
        judgement: {
          ...judgement,
          got: { text: describe(judgement.got), frames: evidenceOf(judgement.got).map(slim) },
        },
        scenario: frame?.scenario ?? evidenceScenario(judgement.got),
      })
    }
  }
  /** Lets each monitor judge; one that throws is taken out, and the run goes on. */
  const each = (
    session: SessionState,
    frame: Frame | undefined,
    look: (one: NamedMonitor, state: unknown) => Iterable<Judgement<string>>,
  ): void => {
    monitors.forEach((one, index) => {
      if (broken.has(one.id) || !applies(one.monitor, context.via, session.revision)) return
      try {
        keep(one, session, look(one, session.states[index]), frame)
      } catch (problem) {
        broken.set(one.id, problem instanceof Error ? problem : new Error(String(problem)))
      }
    })
  }
  const see = (frame: Frame): void => {
    const session = sessionOf(frame.session)
    session.see(frame)
    each(session, frame, (one, state) => one.monitor.see(state, frame))
  }
  const end = (name: string): void => {
    const session = sessions.get(name)
    if (session === undefined) return
    sessions.delete(name)
    each(session, undefined, (one, state) => one.monitor.end?.(state) ?? [])
  }
  const unsubscribe = log.subscribe(see)
  return {
    observed: () => [...found.values()],
    broken,
    end,
    forget() {
      sessions.clear()
      found.clear()
    },
    close() {
      unsubscribe()
      for (const name of [...sessions.keys()]) end(name)
    },
  }
}

interface SessionState {
  /** what is spoken, as far as it has been seen */
  readonly revision: Revision
  see(frame: Frame): void
  states: unknown[]
}

const applies = (monitor: AnyMonitor, via: Via, revision: Revision): boolean => {
  const needs = monitor.needs ?? {}
  return (needs.via === undefined || needs.via === via) && spans(needs, revision)
}

const KEPT_CHARS = 2_000

function slim(frame: Frame): Frame {
  if (frame.kind !== 'message') return frame
  const { json: _json, ...rest } = frame
  return { ...rest, text: rest.text.slice(0, KEPT_CHARS) }
}

const evidenceScenario = (got: Got): string | undefined =>
  evidenceOf(got).find(frame => frame.scenario !== undefined)?.scenario
