/**
 * The authoring module: all that a file under suites/ needs. A scenario acts through the peer and
 * yields judgements about its claims; a monitor judges frames alone. Levels and verdicts follow
 * from the cited requirement, never from the scenario.
 */
import type { Hello } from './dialects/family.ts'
import type { Got, Probe, Reply } from './peers/reply.ts'
import type { ServerPeer } from './peers/server-peer.ts'
import type { Tamper } from './reference/outgoing.ts'
import type { Policies } from './reference/policies.ts'
import type { Side, Via } from './spec/catalogue.ts'
import type { Revision } from './spec/revision.ts'
import type { AnyClientScenario, ClientDefect, ClientVariant } from './suite/client-scenario.ts'
import { argumentsIn, type Completable, variablesIn } from './suite/completable.ts'
import { at, isObject, type Json, type JsonObject, shapeOf, textAt } from './wire/json-rpc.ts'
import type { Frame, MessageFrame } from './wire/log.ts'

export type { Hello } from './dialects/family.ts'
export type { HttpSeen } from './peers/double/double.ts'
export type { Got, HttpReply, Probe, Reply } from './peers/reply.ts'
export type { Pending, ServerPeer, Stream } from './peers/server-peer.ts'
export type { Tamper } from './reference/outgoing.ts'
export { createEventStore } from './reference/server/event-store.ts'
export { pagesOf } from './reference/server/pages.ts'
export { stuckBy } from './reference/stuck.ts'
export type { Via } from './spec/catalogue.ts'
export { loadPlaceClauses, type PlaceClause, speaksOf } from './spec/clauses.ts'
export { annotationProblem, base64Fit, isTimestamp, isUri, mediaTypeFit } from './spec/content.ts'
export { fieldKind, fieldProblem } from './spec/form-schema.ts'
export { instanceProblems, schemaProblems, UNKNOWN_DIALECT } from './spec/json-schema.ts'
export { LISTS, type List } from './spec/lists.ts'
export { isRevision, REVISIONS, type Revision, STATEFUL } from './spec/revision.ts'
export { definitionOf, type Part, type Problem, problemsOf } from './spec/schemas.ts'
export { argumentsFor } from './spec/synthesize.ts'
export { expandTemplate, mayDescribe, templateProblem } from './spec/uri-template.ts'
export { type Asked, callAsking, filled, hearing, succeeded, WILLING } from './suite/asking.ts'
export { type CallableTool, callableTools, tryTool } from './suite/calls.ts'
export {
  type AnyClientScenario,
  type ClientDefect,
  type ClientReplacement,
  type ClientRun,
  type ClientVariant,
  clientScenario,
  type Drive,
  type Script,
  type Step,
  type StepReport,
  script,
} from './suite/client-scenario.ts'
export { type Completable, sampleArguments } from './suite/completable.ts'
export { fallbackOf } from './suite/fallback.ts'
export {
  askedIn,
  declaredIn,
  followResults,
  lacks,
  ourMessages,
  type SeenResult,
  theirMessages,
} from './suite/frames.ts'
export { naiveEvents } from './suite/naive-events.ts'
export { reactionTo } from './suite/oddities.ts'
export { fateOfStep, took } from './suite/outcomes.ts'
export {
  CALLING,
  crashed,
  fateOfClient,
  PLAIN,
  responses,
  type Sent,
  sent,
  shookHands,
  undone,
} from './suite/seen.ts'
export { tampers } from './suite/tampers.ts'
export { type SeenExchange, trackExchanges } from './wire/exchanges.ts'
export { headerValue, headerValues, mediaType } from './wire/http.ts'
export {
  at,
  codes,
  idKey,
  isObject,
  isRequestId,
  isResponse,
  type Json,
  type JsonObject,
  shapeOf,
  textAt,
} from './wire/json-rpc.ts'
export type { Frame, MessageFrame } from './wire/log.ts'

/** An id of the catalogue under schema/, or one a revision where the clause changed its name. */
export type RequirementId = string
export type Citation = RequirementId | Partial<Record<Revision, RequirementId>>

/** holds: seen to be right. bends: wrong in a way that the clause lets pass. breaks: wrong. n/a: does not apply here. */
export type Outcome = 'holds' | 'bends' | 'breaks' | 'n/a'

export interface Judgement<C extends string> {
  claim: C
  outcome: Outcome
  /** what the clause asks for at this place, in a few words */
  expected: string
  got: Got
}

/** A precondition failed: the claims not judged so far stay untested, for this reason. */
export interface Unmet<C extends string = string> {
  unmet: string
  /** the claims that it keeps from being judged; all of them where it is absent */
  claims?: C[]
}

export type Yielded<C extends string> = Judgement<C> | Unmet<C>

/** `judge('code', reply.kind === 'error', 'error -32601', reply)`; true is holds, false is breaks. */
export const judge = <C extends string>(
  claim: C,
  outcome: boolean | Outcome,
  expected: string,
  got: Got,
): Judgement<C> => ({
  claim,
  outcome: outcome === true ? 'holds' : outcome === false ? 'breaks' : outcome,
  expected,
  got,
})

/** `unmet('fixture test_sampling not offered', 'handled')`; without claims it holds for all that are not judged yet. */
export const unmet = <C extends string = never>(reason: string, ...claims: C[]): Unmet<C> => ({
  unmet: reason,
  ...(claims.length === 0 ? {} : { claims }),
})

export interface DefectHead<C extends string> {
  /** the fault in a few words */
  named: string
  breaks: C
  /** further claims that this fault turns red, inevitably */
  also?: C[]
  /** the only transport where the fault can be put */
  via?: Via
  /** the revision to negotiate for it, where it is not the main one */
  spec?: Revision
}

/** A function makes the policies anew for each proof: for those that remember something. */
export type Replacement = Partial<Policies> | (() => Partial<Policies>)
export type Fault = { tamper: Tamper } | { replace: Replacement } | { program: string }
export type Defect<C extends string> = DefectHead<C> & Fault

/** A legal variant of the reference that must stay green: the proof of a tolerance. */
export type Variant<C extends string> = {
  named: string
  via?: Via
  spec?: Revision
  /** claims that do not apply to the reference itself, and hold here */
  shows?: C[]
  /** claims that it bends: tolerated, but not without a word */
  bends?: C[]
} & Fault

export interface ServerScenario<C extends string> {
  /** a plain sentence about the target */
  title: string
  claims: Record<C, Citation>
  needs?: { capability?: string; via?: Via; fixture?: string; since?: Revision; until?: Revision }
  /** which conversation it runs in; shared ones are shared between scenarios with equal hellos */
  session?: 'shared' | 'fresh' | 'process' | 'no-handshake'
  hello?: Hello
  /** timing matters: nothing runs beside it */
  exclusive?: true
  run(peer: ServerPeer): AsyncIterable<Yielded<NoInfer<C>>>
  defects: Defect<NoInfer<C>>[]
  variants?: Variant<NoInfer<C>>[]
}

export type AnyScenario = ServerScenario<string> & { kind: 'server-scenario' }

export const serverScenario = <const C extends string>(scenario: ServerScenario<C>): AnyScenario =>
  ({ ...scenario, kind: 'server-scenario' }) as unknown as AnyScenario

/** What a monitor knows besides the frames. */
export interface MonitorContext {
  via: Via
  role: 'server' | 'client'
  /** what was negotiated so far in this session, else what is offered */
  revision(): Revision
}

export interface Monitor<C extends string, S> {
  title: string
  claims: Record<C, Citation>
  /** which side it watches; servers, where nothing is said */
  sides?: Side[]
  needs?: { via?: Via; since?: Revision; until?: Revision }
  /** A state for each session. */
  start(context: MonitorContext): S
  see(state: S, frame: Frame): Iterable<Judgement<NoInfer<C>>>
  end?(state: S): Iterable<Judgement<NoInfer<C>>>
  /** `on` is the scenario that drives it; one under client/ says that the reference client is at fault */
  defects: ((Defect<NoInfer<C>> | ClientDefect<NoInfer<C>>) & { on: string })[]
  variants?: ((Variant<NoInfer<C>> | ClientVariant<NoInfer<C>>) & { on: string })[]
}

export type AnyMonitor = Monitor<string, unknown> & { kind: 'monitor' }

export type AnySuite = AnyScenario | AnyClientScenario | AnyMonitor

export const monitor = <const C extends string, S>(definition: Monitor<C, S>): AnyMonitor =>
  ({ ...definition, kind: 'monitor' }) as unknown as AnyMonitor

/** What became of a target after a probe: one whose process ended is not one that is silent. */
export async function fateOf(peer: ServerPeer, probe: Probe): Promise<Got> {
  const end = probe.alive ? undefined : await peer.process?.exited(peer.timeouts.graceMs)
  if (end?.kind !== 'end') return probe
  const how = end.signal ?? (end.code === undefined ? (end.detail ?? end.why) : `exit code ${end.code}`)
  return { text: `the process ended (${how})`, frames: [...probe.frames, end] }
}

/** A server that never stops paging is asked for no more pages than this. */
const MAX_PAGES = 100

/** The entries of a list, over all its pages; `replies` has each page, the last of which may be no result. */
export async function listAll(
  peer: ServerPeer,
  method: string,
  member: string,
): Promise<{ entries: JsonObject[]; replies: Reply[] }> {
  const entries: JsonObject[] = []
  const replies: Reply[] = []
  const followed = new Set<string>()
  let cursor: string | undefined
  do {
    const reply = await peer.request(method, cursor === undefined ? undefined : { cursor })
    replies.push(reply)
    if (reply.kind !== 'result') break
    const next = textAt(reply.result, 'nextCursor')
    // A cursor that comes back leads in a circle: its page is one that was seen, and pagination is judged elsewhere.
    if (next !== undefined && followed.has(next)) break
    if (next !== undefined) followed.add(next)
    const page = at(reply.result, member)
    for (const entry of Array.isArray(page) ? page : []) if (isObject(entry)) entries.push(entry)
    cursor = next
  } while (cursor !== undefined && replies.length < MAX_PAGES)
  return { entries, replies }
}

/** Notifications that follow a change are waited for as long as so many watches: 5 s by default. */
const WATCHES = 5

/** The first notification of that kind behind frame number `since`; undefined where none came in time. */
export async function awaitNotification(
  peer: ServerPeer,
  since: number,
  method: string,
  fits: (params: Json | undefined) => boolean = () => true,
): Promise<MessageFrame | undefined> {
  for (let watches = 0; ; watches += 1) {
    const found = peer
      .heard(since)
      .find(({ json }) => at(json, 'method') === method && shapeOf(json) === 'notification' && fits(at(json, 'params')))
    if (found !== undefined || watches === WATCHES) return found
    await peer.watch()
  }
}

/** Whether the target lists such a tool, prompt or resource: fixtures are looked up before they are used. */
export async function offers(
  peer: ServerPeer,
  kind: 'tools' | 'prompts' | 'resources',
  name: string,
): Promise<boolean> {
  if (!isObject(peer.capabilities[kind])) return false
  const { entries } = await listAll(peer, `${kind}/list`, kind)
  return entries.some(entry => entry[kind === 'resources' ? 'uri' : 'name'] === name)
}

/** All arguments and variables that the target lists; none where it does not declare prompts and resources. */
export async function completables(peer: ServerPeer): Promise<Completable[]> {
  const listed = async (capability: string, method: string, member: string): Promise<JsonObject[]> =>
    isObject(peer.capabilities[capability]) ? (await listAll(peer, method, member)).entries : []
  return [
    ...argumentsIn(await listed('prompts', 'prompts/list', 'prompts')),
    ...variablesIn(await listed('resources', 'resources/templates/list', 'resourceTemplates')),
  ]
}
