/** What the client says when its server asks: each request is answered beside the others, and beside what the client waits for. */
import { at, codes, idKey, isObject, type Json, type JsonObject, notification } from '../../wire/json-rpc.ts'
import type { Clock } from './clock.ts'
import { type Desk, elicit } from './elicitation.ts'
import type { ClientPolicies } from './policies.ts'
import { type Answer, refusal } from './reply.ts'
import { sample } from './sampling.ts'
import type { Settings } from './settings.ts'
import type { TaskDesk } from './tasks.ts'

/** What the client has to offer, in all its sessions. */
export interface Courtesies {
  policies: ClientPolicies
  clock: Clock
  settings: Settings
  tasks: TaskDesk
  /** tells the sessions apart */
  owner: string
  user(): Omit<Desk, 'settings'>
  crash(problem: unknown): void
}

export interface Peer {
  send(message: Json, cause?: JsonObject): Promise<void>
  readonly version: string
  /** what was declared, as far as the revision that was agreed knows it */
  readonly declared: JsonObject
  /** Resolves when no request of the client's own waits for its answer. */
  whenIdle(): Promise<void>
}

export interface Answers {
  answer(message: JsonObject): Promise<void>
  /** The server does not want the answer to that request any more. */
  cancel(id: Json | undefined): void
}

export function createAnswers(courtesies: Courtesies, peer: Peer): Answers {
  const { policies, clock, crash } = courtesies
  const running = new Map<string, { cancelled: boolean }>()

  const answer = async (message: JsonObject): Promise<void> => {
    const key = idKey(message.id)
    const work = { cancelled: false }
    running.set(key, work)
    try {
      if (policies.drops(message)) return
      if (!policies.answersWhilePending) await peer.whenIdle()
      const delay = policies.delay(message)
      if (delay > 0) await clock.sleep(delay)
      const { response, afterwards } = await respond(message, () => work.cancelled)
      const sent = work.cancelled ? policies.onCancelled(response) : response
      if (sent !== undefined) await peer.send(sent, message)
      afterwards?.()
    } catch (problem) {
      crash(problem)
    } finally {
      running.delete(key)
    }
  }
  const respond = async (
    message: JsonObject,
    isOver: () => boolean,
  ): Promise<{ response: JsonObject | undefined; afterwards?: (() => void) | undefined }> => {
    const method = String(message.method)
    if (!policies.serves(method, peer.declared)) return { response: policies.onUnknownRequest(message) }
    try {
      const answer = await serve(message, method, isOver)
      if ('error' in answer) return { response: { jsonrpc: '2.0', id: message.id, error: answer.error } }
      const result = policies.relates(answer.result, message)
      return { response: { jsonrpc: '2.0', id: message.id, result }, afterwards: answer.afterwards }
    } catch (problem) {
      return { response: policies.onException(problem, message) }
    }
  }
  const serve = async (message: JsonObject, method: string, isOver: () => boolean): Promise<Answer> => {
    if (Object.hasOwn(message, 'params') && !isObject(message.params))
      return refusal(codes.invalidParams, 'params must be an object')
    const params = isObject(message.params) ? message.params : {}
    if (method === 'ping') return { result: policies.onPing(message) }
    const requestor = {
      owner: courtesies.owner,
      announce: (name: string, more: JsonObject) => void peer.send(notification(name, more)),
    }
    const problem = policies.requestProblem(message, peer.version)
    if (method.startsWith('tasks/')) {
      if (problem !== undefined) return refusal(codes.invalidParams, problem)
      return courtesies.tasks.serve(method, params, requestor)
    }
    if (method === 'roots/list') {
      if (problem !== undefined) return refusal(codes.invalidParams, problem)
      return { result: { roots: policies.roots.told(courtesies.settings.roots ?? []) } }
    }
    const { settings, delayMs, decide } = decisionFor(method, params, problem)
    if (!settings) return refusal(codes.methodNotFound, 'Method not found')
    const { tasks } = policies
    if (problem === undefined && tasks.takes(method, params, peer.declared)) {
      return courtesies.tasks.take(params, requestor, async (isEnded, meta) => {
        await takeTime(message, Math.max(delayMs, tasks.workMs), isEnded, { _meta: meta })
        return decide()
      })
    }
    await takeTime(message, delayMs, isOver)
    return decide()
  }
  /** Lets the model or the user take their time, and tells how far they are. */
  const takeTime = async (
    message: JsonObject,
    ms: number,
    isOver: () => boolean,
    more: JsonObject = {},
  ): Promise<void> => {
    const reports = policies.reports(message, peer.version)
    for (const report of reports) {
      if (isOver()) return
      await peer.send(notification('notifications/progress', { ...report, ...more }), message)
      await clock.sleep(ms / reports.length)
    }
    if (reports.length === 0 && ms > 0) await clock.sleep(ms)
  }
  const decisionFor = (method: string, params: JsonObject, requestProblem: string | undefined) => {
    const { sampling, elicitation } = courtesies.settings
    const surroundings = (name: string) => ({
      capability: at(peer.declared, name),
      version: peer.version,
      requestProblem,
    })
    if (method === 'sampling/createMessage' && sampling !== undefined)
      return {
        settings: true,
        delayMs: sampling.delayMs,
        decide: () => sample(policies.sampling, params, sampling, surroundings('sampling')),
      }
    if (method === 'elicitation/create' && elicitation !== undefined) {
      const desk: Desk = { ...courtesies.user(), settings: elicitation }
      return {
        settings: true,
        delayMs: elicitation.delayMs,
        decide: () => elicit(desk, params, surroundings('elicitation')),
      }
    }
    return { settings: false, delayMs: 0, decide: () => refusal(codes.methodNotFound, 'Method not found') }
  }
  return {
    answer,
    cancel(id) {
      const work = running.get(idKey(id))
      if (work !== undefined && policies.stopsWhenCancelled) work.cancelled = true
    },
  }
}
