/** Runs the monitors over the log: a state for each monitor and session, each frame seen once. */

import { readSpokenRevision, type SpokenRevision } from '../dialects/spoken-revision.ts'
import { evidenceOf, type Got } from '../peers/reply.ts'
import { holdsIn, judges, loadCatalogue, type Side, type Via } from '../spec/catalogue.ts'
import { type Revision, spans } from '../spec/revision.ts'
import { type Judgement, judge } from '../suite/judgement.ts'
import type { AnyMonitor } from '../suite/monitor-definition.ts'
import type { Frame, WireLog } from '../wire/log.ts'
import { citedBy } from './discover.ts'
import { createFindings, type Findings, type Observed } from './findings.ts'

export type { Observed } from './findings.ts'

export interface Observer {
  /** What was judged about each claim, so far. */
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

export interface Watching {
  via: Via
  role: Side
  offered: Revision
  /** only sessions whose names begin so: for what goes on beside others */
  label?: string
}

export function createObserver(monitors: readonly NamedMonitor[], log: WireLog, context: Watching): Observer {
  const sessions = new Map<string, SessionState>()
  const findings = createFindings()
  const broken = new Map<string, Error>()

  const sessionOf = (name: string): SessionState => {
    const state = sessions.get(name) ?? startSession(monitors, context)
    sessions.set(name, state)
    return state
  }
  const each = judging(findings, broken, createCitations(context.role))
  const end = (name: string): void => {
    const session = sessions.get(name)
    if (session === undefined) return
    sessions.delete(name)
    const { revision } = session.spoken
    const { all } = watchersOf(session, context.via)
    each(all, revision, undefined, (one, state) => one.monitor.end?.(state) ?? [])
    if (session.heard) each(all, revision, undefined, one => unseen(one, claim => findings.has(one.id, claim)))
  }
  const unsubscribe = log.subscribe(frame => {
    if (frame.channel !== 'mcp' || !isWatched(frame.session, context.label)) return
    const session = sessionOf(frame.session)
    session.spoken.see(frame)
    session.heard ||= frame.kind === 'message' && frame.from === 'them'
    const watchers = watchersOf(session, context.via)
    const concerned = frame.kind === 'message' ? watchers.all : watchers.ofAllFrames
    each(concerned, session.spoken.revision, frame, (one, state) => one.monitor.see(state, frame))
  })
  return {
    observed: () => findings.all(),
    broken,
    end,
    forget() {
      sessions.clear()
      findings.clear()
    },
    close() {
      unsubscribe()
      for (const name of [...sessions.keys()]) end(name)
    },
  }
}

/** Lets monitors judge, and keeps what they judged; one that throws is taken out, and the run goes on. */
const judging =
  (findings: Findings, broken: Map<string, Error>, requirementOf: ReturnType<typeof createCitations>) =>
  (watchers: readonly Watcher[], spec: Revision, frame: Frame | undefined, look: Look): void => {
    for (const { named, state } of watchers) {
      if (broken.has(named.id)) continue
      try {
        for (const judgement of look(named, state)) {
          const { claim } = judgement
          const requirement = requirementOf(named.monitor, claim, spec)
          if (requirement === undefined) continue
          const scenario = frame?.scenario ?? evidenceScenario(judgement.got)
          findings.add({ monitor: named.id, claim, requirement, spec, scenario }, judgement)
        }
      } catch (problem) {
        broken.set(named.id, problem instanceof Error ? problem : new Error(String(problem)))
      }
    }
  }

/** A label ends with a dot, or is the name of a session whose conversations follow behind one. */
const isWatched = (name: string, label: string | undefined): boolean =>
  label === undefined || name === label || name.startsWith(label.endsWith('.') ? label : `${label}.`)

type Look = (one: NamedMonitor, state: unknown) => Iterable<Judgement<string>>

/** A monitor with what it knows of one session. */
interface Watcher {
  named: NamedMonitor
  state: unknown
}

/** Those that have something to say about a revision: there are many frames, and most of them are no messages. */
interface Suited {
  revision: Revision
  all: readonly Watcher[]
  ofAllFrames: readonly Watcher[]
}

interface SessionState {
  /** what is spoken, as far as it has been seen */
  spoken: SpokenRevision
  watchers: Watcher[]
  suited: Suited | undefined
  /** the target has said something */
  heard: boolean
}

function startSession(monitors: readonly NamedMonitor[], { via, role, offered }: Watching): SessionState {
  const spoken = readSpokenRevision(offered)
  // An authorization server says nothing in MCP; its monitors, once there are some, see HTTP only.
  const speaker = role === 'authorization-server' ? 'server' : role
  const start = { via, role: speaker, revision: () => spoken.revision }
  const watchers = monitors.map(named => ({ named, state: named.monitor.start(start) }))
  return { spoken, watchers, suited: undefined, heard: false }
}

function watchersOf(session: SessionState, via: Via): Suited {
  const { revision } = session.spoken
  if (session.suited?.revision !== revision) {
    const all = session.watchers.filter(({ named }) => suits(named.monitor, via, revision))
    session.suited = { revision, all, ofAllFrames: all.filter(({ named }) => named.monitor.frames === 'all') }
  }
  return session.suited
}

/** Looks up which requirement a claim is about under a revision, once: each frame brings many judgements. */
function createCitations(role: Side): (monitor: AnyMonitor, claim: string, spec: Revision) => string | undefined {
  const known = new Map<AnyMonitor, Map<string, string | undefined>>()
  return (monitor, claim, spec) => {
    const ofMonitor = known.get(monitor) ?? new Map<string, string | undefined>()
    known.set(monitor, ofMonitor)
    const key = `${spec} ${claim}`
    if (!ofMonitor.has(key)) ofMonitor.set(key, appliesTo(monitor, claim, spec, role))
    return ofMonitor.get(key)
  }
}

/** The requirement that a claim is about under the revision, where it binds that side. */
function appliesTo(monitor: AnyMonitor, claim: string, spec: Revision, role: Side): string | undefined {
  const citation = monitor.claims[claim]
  const requirement = citation === undefined ? undefined : citedBy(citation, spec)
  if (requirement === undefined) return undefined
  const entry = loadCatalogue(spec).find(requirement)
  return entry !== undefined && holdsIn(entry, spec) && judges(entry, role) ? requirement : undefined
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
  return (needs.via === undefined || needs.via === via) && spans(needs, revision)
}

const evidenceScenario = (got: Got): string | undefined =>
  evidenceOf(got).find(frame => frame.scenario !== undefined)?.scenario
