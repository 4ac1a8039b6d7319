/** One session with a server: the handshake, requests and their answers, whatever the transport is (basic/lifecycle). */
import {
  at,
  isObject,
  isRequestId,
  isResponse,
  type Json,
  type JsonObject,
  notification,
  shapeOf,
} from '../../wire/json-rpc.ts'
import { type Courtesies, createAnswers } from './answers.ts'
import type { Clock } from './clock.ts'
import type { Link, OpenLink } from './link.ts'
import type { ClientPolicies, Moment } from './policies.ts'
import { failed, type Reply, replyIn } from './reply.ts'
import { createRequests, type RequestOptions } from './requests.ts'

export interface Session {
  readonly version: string
  readonly serverCapabilities: JsonObject
  readonly serverInfo: Json | undefined
  readonly sessionId: string | undefined
  /** Connects; the reply is that to `initialize`, or why it cannot be used. */
  open(): Promise<Reply>
  request(method: string, params: JsonObject | undefined, options?: RequestOptions): Promise<Reply>
  send(message: JsonObject): Promise<void>
  close(): Promise<void>
  destroy(): void
  /** The server does not know it any more: all that is waited for ends. */
  expire(): void
}

export interface SessionContext extends Courtesies {
  policies: ClientPolicies
  clock: Clock
  ids(): Json
  /** which revision the user wants tested */
  tested: string | undefined
  crash(problem: unknown): void
  /** the server does not know the session, or nothing goes any more */
  onExpired(): void
  onDown(why: string): void
  onNotification(method: string, params: JsonObject): void
}

export function createSession(context: SessionContext, openLink: OpenLink): Session {
  const { policies, clock } = context
  let serverCapabilities: JsonObject = {}
  let serverInfo: Json | undefined
  let closing = false
  const offered = policies.protocolVersion(context.tested)
  let version = offered
  let declared = policies.capabilities(context.settings, offered)

  const guarded = (act: () => void): void => {
    if (closing) return
    try {
      act()
    } catch (problem) {
      context.crash(problem)
    }
  }
  const link: Link = openLink({
    receive: text => guarded(() => read(text)),
    lost: (id, reply) => requests.settle(id, reply),
    awaits: id => requests.awaits(id),
    expired: () => {
      if (!closing) context.onExpired()
    },
    down: why => {
      requests.endAll(failed('lost', why))
      if (!closing) context.onDown(why)
    },
  })
  const send = (message: Json, cause?: JsonObject): Promise<void> => link.send(message, cause).catch(context.crash)
  const requests = createRequests(context, send)
  const { request } = requests
  const answers = createAnswers(context, {
    send,
    get version() {
      return version
    },
    get declared() {
      return declared
    },
    whenIdle: () => requests.whenIdle(),
  })

  const read = (text: string): void => {
    const json = policies.parse(text)
    const said = json === undefined ? policies.onUnparsable(text) : undefined
    if (json !== undefined) receive(json)
    if (said !== undefined) void send(said)
  }
  const receive = (json: Json): void => {
    policies.notices(json)
    if (Array.isArray(json) && policies.batch(version) === 'take') {
      for (const part of json) receive(part)
      return
    }
    const shape = shapeOf(json)
    if (!isObject(json) || !isValid(json, shape)) {
      const said = policies.onInvalid(json)
      if (said !== undefined) void send(said, isObject(json) ? json : undefined)
      return
    }
    if (shape === 'request') void answers.answer(json)
    else if (shape === 'notification') notified(json)
    else answered(json)
  }
  const answered = (message: JsonObject): void => {
    const isKnown = requests.settle(message.id, replyIn(message))
    for (const said of isKnown ? [] : policies.onUnknownResponse(message)) void send(said, message)
  }
  const notified = (message: JsonObject): void => {
    const method = String(message.method)
    const params = isObject(message.params) ? message.params : {}
    if (method === 'notifications/cancelled') answers.cancel(params.requestId)
    if (method === 'notifications/progress') policies.onProgress(params, requests.progressed(params.progressToken))
    context.onNotification(method, params)
    const said = policies.onNotification(message)
    if (said !== undefined) void send(said, message)
  }
  const greet = (when: Moment): void => {
    for (const { method, params, isNotification } of policies.greets(when)) {
      if (isNotification === true) void send(notification(method, params))
      else void request(method, params)
    }
  }
  const ping = (everyMs: number): void => {
    clock.after(everyMs, () => {
      if (closing) return
      ping(everyMs)
      void request('ping', undefined, { timeoutMs: policies.pings.timeoutMs }).then(reply => {
        if (
          reply.kind === 'failed' &&
          reply.why === 'timeout' &&
          policies.pings.unanswered === 'disconnect' &&
          !closing
        )
          context.onDown('a ping was not answered')
      })
    })
  }
  const open = async (): Promise<Reply> => {
    greet('before initialize')
    const introduced = request(
      'initialize',
      { protocolVersion: offered, capabilities: declared, clientInfo: policies.clientInfo(offered) },
      { timeoutMs: policies.initializeTimeoutMs },
    )
    greet('initialize sent')
    const reply = await introduced
    if (reply.kind !== 'result') return reply
    const { protocolVersion, capabilities } = reply.result
    if (!policies.acceptsVersion(protocolVersion, offered))
      return failed('invalid', `the server wants to speak ${JSON.stringify(protocolVersion) ?? 'nothing'}`)
    version = String(protocolVersion)
    declared = policies.capabilities(context.settings, version)
    serverCapabilities = isObject(capabilities) ? capabilities : {}
    serverInfo = at(reply.result, 'serverInfo')
    link.agreed(version)
    // Nothing else before it has arrived: messages of different requests may overtake each other.
    if (policies.announcesReady) await clock.within(send(notification('notifications/initialized')), policies.timeoutMs)
    link.listen()
    greet('initialized')
    if (policies.pings.everyMs !== undefined) ping(policies.pings.everyMs)
    return reply
  }
  return {
    get version() {
      return version
    },
    get serverCapabilities() {
      return serverCapabilities
    },
    get serverInfo() {
      return serverInfo
    },
    get sessionId() {
      return link.sessionId
    },
    open,
    request,
    send: message => send(message),
    async close() {
      greet('closing')
      closing = true
      await link.close()
      requests.endAll(failed('lost', 'the connection was closed'))
    },
    destroy() {
      closing = true
      link.destroy()
      requests.endAll(failed('lost', 'the connection was closed'))
    },
    expire() {
      closing = true
      link.destroy()
      requests.endAll(failed('expired', 'the session has ended'))
    },
  }
}

function isValid(message: JsonObject, shape: string): boolean {
  if (message.jsonrpc !== '2.0') return false
  if (shape === 'request') return typeof message.method === 'string' && isRequestId(message.id)
  if (shape === 'notification') return typeof message.method === 'string'
  return isResponse(shape as ReturnType<typeof shapeOf>)
}
