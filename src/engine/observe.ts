/** Runs the monitors over the log: a state for each monitor and session, each frame seen once. */
import { evidenceOf, type Got } from '../peers/reply.ts'
import { holdsIn, judges, loadCatalogue, type Side, type Via } from '../spec/catalogue.ts'
import { isRevision, type Revision } from '../spec/revision.ts'
import { type Judgement, judge } from '../suite/judgement.ts'
import type { AnyMonitor } from '../suite/monitor-definition.ts'
import { at, idKey, textAt } from '../wire/json-rpc.ts'
import type { Frame, WireLog } from '../wire/log.ts'
import { citedBy } from './discover.ts'
import { createFindings, type Observed } from './findings.ts'

export type { Observed } from './findings.ts'

export interface Observer {
  /** What was judged about each claim, so far. */
  observed(): Observed[]
  /** Monitors that threw: a fault of ours, which must not disturb the wire. */
  readonly broken: ReadonlyMap<string, Error>
  /** A session has ended: its monitors draw their last conclusions. */
  end(session: string): void
  /** Ends every session and stops observing. */
  close(): void
}

export interface NamedMonitor {
  id: string
  monitor: AnyMonitor
}

export interface Watching {
  via: Via
  role: Side
  offered: Revision
}

export function createObserver(monitors: readonly NamedMonitor[], log: WireLog, context: Watching): Observer {
  const sessions = new Map<string, SessionState>()
  const findings = createFindings()
  const broken = new Map<string, Error>()

  const sessionOf = (name: string): SessionState => {
    const known = sessions.get(name)
    if (known !== undefined) return known
    const state = startSession(monitors, context)
    sessions.set(name, state)
    return state
  }
  const keep = (
    { id, monitor }: NamedMonitor,
    spec: Revision,
    judgements: Iterable<Judgement<string>>,
    frame: Frame | undefined,
  ): void => {
    for (const judgement of judgements) {
      const requirement = appliesTo(monitor, judgement.claim, spec, context.role)
      if (requirement === undefined) continue
      const scenario = frame?.scenario ?? evidenceScenario(judgement.got)
      findings.add({ monitor: id, claim: judgement.claim, requirement, spec, scenario }, judgement)
    }
  }
  /** Lets each monitor judge; one that throws is taken out, and the run goes on. */
  const each = (session: SessionState, frame: Frame | undefined, look: Look): void => {
    monitors.forEach((one, index) => {
      if (broken.has(one.id) || !suits(one.monitor, context.via, session.revision)) return
      try {
        keep(one, session.revision, look(one, session.states[index]), frame)
      } catch (problem) {
        broken.set(one.id, problem instanceof Error ? problem : new Error(String(problem)))
      }
    })
  }
  const end = (name: string): void => {
    const session = sessions.get(name)
    if (session === undefined) return
    sessions.delete(name)
    each(session, undefined, (one, state) => one.monitor.end?.(state) ?? [])
    if (session.heard) each(session, undefined, one => unseen(one, claim => findings.has(one.id, claim)))
  }
  const unsubscribe = log.subscribe(frame => {
    if (frame.channel !== 'mcp') return
    const session = sessionOf(frame.session)
    follow(session, frame)
    each(session, frame, (one, state) => one.monitor.see(state, frame))
  })
  return {
    observed: () => findings.all(),
    broken,
    end,
    close() {
      unsubscribe()
      for (const name of [...sessions.keys()]) end(name)
    },
  }
}

type Look = (one: NamedMonitor, state: unknown) => Iterable<Judgement<string>>

interface SessionState {
  revision: Revision
  openings: Set<string>
  states: unknown[]
  /** the target has said something */
  heard: boolean
}

function startSession(monitors: readonly NamedMonitor[], { via, role, offered }: Watching): SessionState {
  const state: SessionState = { revision: offered, openings: new Set(), states: [], heard: false }
  state.states = monitors.map(({ monitor }) => monitor.start({ via, role, revision: () => state.revision }))
  return state
}

/** The requirement that a claim is about under the revision, where it binds that side. */
function appliesTo(monitor: AnyMonitor, claim: string, spec: Revision, role: Side): string | undefined {
  const citation = monitor.claims[claim]
  const requirement = citation === undefined ? undefined : citedBy(citation, spec)
  if (requirement === undefined) return undefined
  const entry = loadCatalogue(spec).get(requirement)
  return holdsIn(entry, spec) && judges(entry, role) ? requirement : undefined
}

/** A monitor may say that what never came up does not apply, rather than being untested. */
function* unseen({ monitor }: NamedMonitor, isJudged: (claim: string) => boolean): Iterable<Judgement<string>> {
  if (monitor.unseen === undefined) return
  for (const claim of Object.keys(monitor.claims))
    if (!isJudged(claim))
      yield judge(claim, 'n/a', 'something that it is about', { text: 'nothing of the kind was sent', frames: [] })
}

const suits = (monitor: AnyMonitor, via: Via, revision: Revision): boolean => {
  const needs = monitor.needs ?? {}
  return (
    (needs.via === undefined || needs.via === via) &&
    (needs.since === undefined || revision >= needs.since) &&
    (needs.until === undefined || revision <= needs.until)
  )
}

/** The negotiated revision is what the answer to `initialize` says. */
function follow(session: SessionState, frame: Frame): void {
  if (frame.kind !== 'message') return
  session.heard ||= frame.from === 'them'
  if (at(frame.json, 'method') === 'initialize') session.openings.add(idKey(at(frame.json, 'id')))
  else if (session.openings.has(idKey(at(frame.json, 'id')))) {
    const version = textAt(frame.json, 'result', 'protocolVersion')
    if (isRevision(version)) session.revision = version
  }
}

const evidenceScenario = (got: Got): string | undefined =>
  evidenceOf(got).find(frame => frame.scenario !== undefined)?.scenario
