/** One session with a server: the handshake, requests and their answers, whatever the transport is (basic/lifecycle). */
import type { Json, JsonObject } from '../../wire/json-rpc.ts'
import type { AnswerContext } from './answer-context.ts'
import { createAnswers } from './answers.ts'
import { greet, type Offering, offer, shakeHands } from './handshake.ts'
import { createIncoming, type Incoming } from './incoming.ts'
import type { LinkEvents, OpenLink } from './link.ts'
import { keepPinging } from './pings.ts'
import { failed, type Reply } from './reply.ts'
import { createRequests, type RequestOptions, type Requests } from './requests.ts'

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

export interface SessionContext extends AnswerContext, Offering {
  ids(): Json
  /** the server does not know the session, or nothing goes any more */
  onExpired(): void
  onDown(why: string): void
  onNotification(method: string, params: JsonObject): void
}

const CLOSED = failed('lost', 'the connection was closed')

export function createSession(context: SessionContext, openLink: OpenLink): Session {
  const { policies, clock, crash, onDown, onNotification } = context
  const agreement = offer(context)
  let closing = false
  const isClosing = (): boolean => closing

  const send = (message: Json, cause?: JsonObject): Promise<void> => link.send(message, cause).catch(crash)
  const requests = createRequests(context, send)
  const { request, whenIdle } = requests
  const answers = createAnswers(context, { send, whenIdle, agreement })
  const incoming = createIncoming({ policies, requests, answers, agreement, send, onNotification })
  const link = openLink(eventsFor(context, requests, incoming, isClosing))
  const speaking = { request, send: (message: JsonObject) => send(message) }
  const end = (reply: Reply): void => {
    closing = true
    link.destroy()
    requests.endAll(reply)
  }
  return {
    get version() {
      return agreement.version
    },
    get serverCapabilities() {
      return agreement.serverCapabilities
    },
    get serverInfo() {
      return agreement.serverInfo
    },
    get sessionId() {
      return link.sessionId
    },
    async open() {
      const reply = await shakeHands(context, agreement, speaking, link)
      if (reply.kind === 'result') keepPinging({ policies, clock, request, isClosing, onDown })
      return reply
    },
    request,
    send: speaking.send,
    async close() {
      greet(policies, speaking, 'closing')
      closing = true
      await link.close()
      requests.endAll(CLOSED)
    },
    destroy: () => end(CLOSED),
    expire: () => end(failed('expired', 'the session has ended')),
  }
}

/** A session that is being closed reads nothing any more, and has no trouble. */
function eventsFor(
  { crash, onExpired, onDown }: SessionContext,
  requests: Requests,
  incoming: Incoming,
  isClosing: () => boolean,
): LinkEvents {
  return {
    receive(text) {
      if (isClosing()) return
      try {
        incoming.read(text)
      } catch (problem) {
        crash(problem)
      }
    },
    lost: (id, reply) => requests.settle(id, reply),
    awaits: id => requests.awaits(id),
    expired() {
      if (!isClosing()) onExpired()
    },
    down(why) {
      requests.endAll(failed('lost', why))
      if (!isClosing()) onDown(why)
    },
  }
}
