/** The requests of the client in one session: sent, waited for, given up (basic/lifecycle#timeouts). */
import { idKey, isObject, type Json, type JsonObject, request as requestMessage } from '../../wire/json-rpc.ts'
import type { Clock } from './clock.ts'
import { startLimits } from './limits.ts'
import type { ClientPolicies } from './policies.ts'
import { failed, type Reply } from './reply.ts'

export interface RequestOptions {
  timeoutMs?: number
  cancelAfterMs?: number
  progress?: boolean
}

export interface Requests {
  request(method: string, params: JsonObject | undefined, options?: RequestOptions): Promise<Reply>
  /** False where nobody waits for that. */
  settle(id: Json | undefined, reply: Reply): boolean
  awaits(id: Json): boolean
  /** False where no running request has that token. */
  progressed(token: Json | undefined): boolean
  endAll(reply: Reply): void
  /** Resolves when nothing is waited for. */
  whenIdle(): Promise<void>
}

interface Pending {
  settle(reply: Reply): void
  progressed(): void
  token: Json | undefined
}

export function createRequests(
  { policies, clock, ids }: { policies: ClientPolicies; clock: Clock; ids(): Json },
  send: (message: JsonObject) => Promise<void>,
): Requests {
  const pending = new Map<string, Pending>()
  const idle: (() => void)[] = []

  const tokens = (): Json[] => [...pending.values()].flatMap(({ token }) => (token === undefined ? [] : [token]))
  const waitFor = (message: JsonObject, token: Json | undefined, options: RequestOptions): Promise<Reply> =>
    new Promise(resolve => {
      const key = idKey(message.id)
      const settle = (reply: Reply): void => {
        pending.delete(key)
        limits.stop()
        resolve(reply)
        if (pending.size === 0) for (const go of idle.splice(0)) go()
      }
      const limits = startLimits({ policies, clock }, options, (why, reason) => {
        if (policies.stopsWaiting) settle(failed(why, reason))
        for (const said of policies.onGiveUp(message, reason)) void send(said)
      })
      pending.set(key, { settle, token, progressed: limits.progressed })
    })
  return {
    request(method, params, options = {}) {
      const id = ids()
      const token = options.progress === true ? policies.progressToken(tokens()) : undefined
      const message = messageFor(id, method, policies.params(method, params), token)
      const reply = waitFor(message, token, options)
      void send(message)
      return reply
    },
    settle(id, reply) {
      const waiting = pending.get(idKey(id))
      waiting?.settle(reply)
      return waiting !== undefined
    },
    awaits: id => pending.has(idKey(id)),
    progressed(token) {
      const key = idKey(token)
      const known = [...pending.values()].find(one => one.token !== undefined && idKey(one.token) === key)
      known?.progressed()
      return known !== undefined
    },
    endAll(reply) {
      for (const { settle } of [...pending.values()]) settle(reply)
    },
    whenIdle: () => (pending.size === 0 ? Promise.resolve() : new Promise(resolve => idle.push(resolve))),
  }
}

function messageFor(id: Json, method: string, params: JsonObject | undefined, token: Json | undefined): JsonObject {
  const whole =
    token === undefined
      ? params
      : { ...params, _meta: { ...(isObject(params?._meta) ? params._meta : {}), progressToken: token } }
  return { ...requestMessage(0, method, whole), id }
}
