/** Scenarios for clients: a script that our server plays, and a judgement of all that the client did meanwhile. */
import type { Conversation, HttpSeen, ServerDouble, ServerSetup } from '../peers/double/double.ts'
import type { ReferenceParts } from '../reference/changes.ts'
import type { ClientPolicies } from '../reference/client/policies.ts'
import type { Tamper } from '../reference/outgoing.ts'
import type { Via } from '../spec/catalogue.ts'
import type { Revision } from '../spec/revision.ts'
import { at, isObject, type JsonObject } from '../wire/json-rpc.ts'
import type { Frame, MessageFrame } from '../wire/log.ts'
import type { Citation } from './citation.ts'
import type { DefectHead, VariantHead } from './defects.ts'
import { judge, type Yielded } from './judgement.ts'

/** One thing that a driver is asked to do (reports/survey/drivers/README.md). */
export interface Step {
  request?: string
  params?: JsonObject
  timeoutMs?: number
  cancelAfterMs?: number
  progress?: true
  task?: { ttl?: number | null }
  meanwhile?: true
  notify?: string
  pause?: number
  setRoots?: JsonObject[]
  reconnect?: true
}

/** What the driver is to declare and how its user and its model answer. */
export interface ClientSettings {
  roots?: JsonObject[]
  sampling?: {
    answer?: JsonObject
    error?: JsonObject
    throws?: string
    tools?: true
    models?: string[]
    delayMs?: number
  }
  elicitation?: {
    action?: 'accept' | 'decline' | 'cancel'
    content?: JsonObject
    url?: true
    form?: false
    declare?: 'empty'
    delayMs?: number
  }
  tasks?: true
}

/**
 * What the client is asked to do: a scenario of the official suite by its name alone, or a name of ours with
 * steps and settings.
 */
export interface Drive {
  name: string
  steps?: Step[]
  client?: ClientSettings
}

/** One play of our server for one start of the client. Scenarios that name the same script share that start. */
export interface Script<T = undefined> {
  drive: Drive
  /** What our server is like; made anew for each start. */
  setup?(facts: { via: Via; revision: Revision }): ServerSetup
  /** What the play writes down for the judges. */
  notes?(): T
  /** Goes on beside the client; what it has written down when the client ends is what counts. */
  play?(server: ServerDouble, notes: T): void | Promise<void>
  /** Milliseconds that a correct client may need beyond the usual limit: for clauses about long times. */
  lastsMs?: number
}

/** What the driver printed about a step. */
export interface StepReport {
  outcome: 'result' | 'error' | 'unsupported'
  code?: number
  message?: string
}

/** All that came of one start of the client, once it has ended. */
export interface ClientRun<T = undefined> {
  readonly via: Via
  /** what was negotiated first, else the revision under test */
  readonly revision: Revision
  readonly drive: Drive
  readonly notes: T
  readonly conversations: readonly Conversation[]
  /** HTTP: every request, in order */
  readonly requests: readonly HttpSeen[]
  /** stdio: how often the server was started */
  readonly launches: number
  /** both sides, in order */
  readonly frames: readonly Frame[]
  /** the messages of the client */
  readonly messages: readonly MessageFrame[]
  /** How its process ended; `stopped`: by us, after the time limit. */
  readonly end: { how: 'exited' | 'stopped'; code?: number; signal?: string; frame: Frame; atMs: number }
  readonly steps: ReadonlyMap<number, StepReport>
}

/** A function makes the policies anew for each proof, from the correct ones: for parts of them, and for those that remember something. */
export type ClientReplacement =
  | Partial<ClientPolicies>
  | ((correct: ClientPolicies, reference: ReferenceParts) => Partial<ClientPolicies>)
export type ClientFault = { tamper: Tamper } | { replace: ClientReplacement } | { program: string }
export type ClientDefect<C extends string> = DefectHead<C> & ClientFault

/** A legal variant of the reference client that must stay green. */
export type ClientVariant<C extends string> = VariantHead<C> & ClientFault

/** Without it the scenario does not run. */
export interface ClientNeeds {
  /** a path into what the client declares in its first session, such as `sampling.tools`; not applicable where it does not */
  capability?: string
  via?: Via
  since?: Revision
  until?: Revision
}

export interface ClientScenario<C extends string, T> {
  /** a plain sentence about the client */
  title: string
  claims: Record<C, Citation>
  needs?: ClientNeeds
  script: Script<T>
  /** timing matters: nothing runs beside it */
  exclusive?: true
  run(seen: ClientRun<NoInfer<T>>): Iterable<Yielded<NoInfer<C>>>
  defects: ClientDefect<NoInfer<C>>[]
  variants?: ClientVariant<NoInfer<C>>[]
}

export type AnyClientScenario = ClientScenario<string, unknown> & { kind: 'client-scenario' }

export const clientScenario = <const C extends string, T = undefined>(
  scenario: ClientScenario<C, T>,
): AnyClientScenario => {
  const capability = scenario.needs?.capability
  const run = capability === undefined ? scenario.run : withCapability(capability, scenario)
  return { ...scenario, run, kind: 'client-scenario' } as unknown as AnyClientScenario
}

/** The run, where the client declares the capability; a client that opened no session has not said what it declares. */
const withCapability = <C extends string, T>(
  capability: string,
  { claims, run }: ClientScenario<C, T>,
): ClientScenario<C, T>['run'] =>
  function* (seen) {
    const path = capability.split('.')
    const capabilities = seen.conversations[0]?.capabilities
    if (capabilities === undefined || isObject(at(capabilities, ...path))) yield* run(seen)
    else {
      const [root = ''] = path
      const text = `${root}: ${JSON.stringify(capabilities[root]) ?? 'not declared'}`
      const hello = seen.messages.filter(({ json }) => at(json, 'method') === 'initialize').slice(0, 1)
      for (const claim of Object.keys(claims) as C[]) yield judge(claim, 'n/a', capability, { text, frames: hello })
    }
  }

/** A script as a value of its own, for files that share it. */
export const script = <T = undefined>(definition: Script<T>): Script<T> => definition
