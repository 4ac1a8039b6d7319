/** What the server says: taken apart, and brought to those who wait for it (basic/index#messages). */
import {
  isObject,
  isRequestId,
  isResponse,
  type Json,
  type JsonObject,
  type Shape,
  shapeOf,
} from '../../wire/json-rpc.ts'
import type { Answers } from './answers.ts'
import type { Agreement } from './handshake.ts'
import type { ClientPolicies } from './policies.ts'
import { replyIn } from './reply.ts'
import type { Requests } from './requests.ts'

export interface IncomingContext {
  policies: ClientPolicies
  requests: Pick<Requests, 'settle' | 'progressed'>
  answers: Answers
  /** as far as it stands now */
  agreement: Readonly<Agreement>
  send(message: JsonObject, cause?: JsonObject): Promise<void>
  onNotification(method: string, params: JsonObject): void
}

export interface Incoming {
  read(text: string): void
}

export function createIncoming(context: IncomingContext): Incoming {
  const { policies, send } = context
  const receive = (json: Json): void => {
    policies.notices(json)
    if (Array.isArray(json) && policies.batch(context.agreement.version) === 'take') {
      for (const part of json) receive(part)
      return
    }
    const shape = shapeOf(json)
    if (!isObject(json) || !isValid(json, shape)) {
      const said = policies.onInvalid(json)
      if (said !== undefined) void send(said, isObject(json) ? json : undefined)
      return
    }
    if (shape === 'request') void context.answers.answer(json)
    else if (shape === 'notification') notified(context, json)
    else answered(context, json)
  }
  return {
    read(text) {
      const json = policies.parse(text)
      const said = json === undefined ? policies.onUnparsable(text) : undefined
      if (json !== undefined) receive(json)
      if (said !== undefined) void send(said)
    },
  }
}

function answered({ policies, requests, send }: IncomingContext, message: JsonObject): void {
  const isKnown = requests.settle(message.id, replyIn(message))
  for (const said of isKnown ? [] : policies.onUnknownResponse(message)) void send(said, message)
}

function notified({ policies, requests, answers, send, onNotification }: IncomingContext, message: JsonObject): void {
  const method = String(message.method)
  const params = isObject(message.params) ? message.params : {}
  if (method === 'notifications/cancelled') answers.cancel(params.requestId)
  if (method === 'notifications/progress') policies.onProgress(params, requests.progressed(params.progressToken))
  onNotification(method, params)
  const said = policies.onNotification(message)
  if (said !== undefined) void send(said, message)
}

/** Whether an object of that shape is a message of JSON-RPC, whatever it says. */
export function isValid(message: JsonObject, shape: Shape): boolean {
  if (message.jsonrpc !== '2.0') return false
  if (shape === 'request') return typeof message.method === 'string' && isRequestId(message.id)
  if (shape === 'notification') return typeof message.method === 'string'
  return isResponse(shape)
}
