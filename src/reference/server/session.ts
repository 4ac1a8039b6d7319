/** The protocol of the reference server, without any transport: messages in, messages out. */
import {
  codes,
  failure,
  idKey,
  isObject,
  isRequestId,
  type Json,
  type JsonObject,
  result,
  shapeOf,
} from '../../wire/json-rpc.ts'
import type { Policies, SessionView } from '../policies.ts'
import { type Feature, features } from './features.ts'

/** Where the messages that belong to one incoming message go. */
export interface Channel {
  send(message: Json, cause: JsonObject | undefined): void
  /** Closes the connection while the stream goes on; absent where there is no stream to go on. */
  cut?(): void
}

export interface ReferenceSession {
  readonly view: SessionView
  /** Handles one message; resolves when everything that it causes has been sent. */
  receive(json: Json, channel: Channel): Promise<void>
  /** Sends what belongs to no request. */
  announce(method: string, params?: JsonObject): void
}

export interface Tools {
  /** Asks the client; resolves with its response message. */
  ask(method: string, params?: JsonObject): Promise<JsonObject>
  notify(method: string, params: JsonObject): void
  /** Closes the connection of this request; the client has to reconnect for what comes then. */
  closeConnection(): void
  cancelled(): boolean
  session: SessionView
  policies: Policies
}

export function createSession(policies: Policies, id: string, unsolicited: Channel): ReferenceSession {
  const view: SessionView = { id, version: undefined, ended: false, initialized: false, clientCapabilities: {} }
  const asked = new Map<string, (message: JsonObject) => void>()
  const running = new Map<string, { cancelled: boolean }>()
  let asks = 0

  const ask = (
    channel: Channel,
    method: string,
    params: JsonObject | undefined,
    cause: JsonObject | undefined,
  ): Promise<JsonObject> => {
    asks += 1
    const askId = `server-${asks}`
    const message = { jsonrpc: '2.0', id: askId, method, ...(params === undefined ? {} : { params }) }
    return new Promise(resolve => {
      // A late answer finds nobody waiting and is ignored.
      const giveUp = setTimeout(() => {
        asked.delete(askId)
        for (const said of policies.onAskTimeout(message)) channel.send(said, cause)
        resolve(failure(askId, codes.internalError, 'no answer in time'))
      }, policies.askTimeoutMs).unref()
      asked.set(askId, answer => {
        clearTimeout(giveUp)
        resolve(answer)
      })
      channel.send(message, cause)
    })
  }
  const greet = (when: 'answered' | 'initialized' | 'roots changed'): void => {
    for (const { method, params } of policies.greets(when, view)) {
      const withParams = isObject(params) ? params : undefined
      if (String(method).startsWith('notifications/')) session.announce(String(method), withParams)
      else void ask(unsolicited, String(method), withParams, undefined)
    }
  }
  const serve = async (message: JsonObject, channel: Channel): Promise<void> => {
    const method = String(message.method)
    const params = isObject(message.params) ? message.params : {}
    const messageId = message.id as Json
    if (method === 'initialize') {
      view.version = policies.negotiate(params.protocolVersion)
      view.clientCapabilities = isObject(params.capabilities) ? params.capabilities : {}
      channel.send(result(messageId, introduction(policies, view.version)), message)
      greet('answered')
      return
    }
    if (view.version === undefined && policies.beforeInitialize(method) === 'refuse') {
      channel.send(failure(messageId, codes.invalidRequest, 'The session is not initialized'), message)
      return
    }
    const feature = find(policies, method)
    if (feature === undefined) {
      const answer = policies.onUnknownMethod(message)
      if (answer !== undefined) channel.send(answer, message)
      return
    }
    const state = { cancelled: false }
    const key = idKey(messageId)
    running.set(key, state)
    try {
      const answer = await feature(params, {
        ask: (name, more) => ask(channel, name, more, message),
        notify: (name, more) =>
          (policies.strays(name) ? unsolicited : channel).send({ jsonrpc: '2.0', method: name, params: more }, message),
        closeConnection: () => {
          if (policies.polls(view.version)) channel.cut?.()
        },
        cancelled: () => state.cancelled,
        session: view,
        policies,
      })
      if (state.cancelled) return
      channel.send(
        'error' in answer ? { jsonrpc: '2.0', id: messageId, error: answer.error } : result(messageId, answer),
        message,
      )
    } catch {
      const answer = policies.onException(message)
      if (answer !== undefined) channel.send(answer, message)
    } finally {
      running.delete(key)
    }
  }
  const receive = async (json: Json, channel: Channel): Promise<void> => {
    const shape = shapeOf(json)
    if (shape === 'batch' && policies.batch(view.version) === 'answer' && (json as Json[]).length > 0) {
      const answers: Json[] = []
      const collect: Channel = { send: message => answers.push(message) }
      for (const part of json as Json[]) await receive(part, collect)
      for (const answer of policies.joinBatch(answers)) {
        if (!Array.isArray(answer) || answer.length > 0) channel.send(answer, undefined)
      }
      return
    }
    if (!isObject(json) || !isValid(json, shape)) {
      const answer = policies.onInvalid(json)
      if (answer !== undefined) channel.send(answer, isObject(json) ? json : undefined)
      return
    }
    if (shape === 'request') {
      if (policies.drops(json)) return
      const delay = policies.delay(json)
      if (delay > 0) await policies.sleep(delay)
      await serve(json, channel)
    } else if (shape === 'notification') {
      const params = isObject(json.params) ? json.params : {}
      if (json.method === 'notifications/cancelled') {
        const state = running.get(idKey(params.requestId))
        if (state !== undefined) state.cancelled = true
      }
      const answer = policies.onNotification(json)
      if (answer !== undefined) channel.send(answer, json)
      if (json.method === 'notifications/initialized' && !view.initialized) {
        view.initialized = true
        // Not in the same turn of the event loop: no client behind a real pipe could be that quick.
        setImmediate(greet, 'initialized')
      }
      if (json.method === 'notifications/roots/list_changed') greet('roots changed')
    } else {
      const key = String(json.id)
      asked.get(key)?.(json)
      asked.delete(key)
    }
  }
  const session: ReferenceSession = {
    view,
    receive,
    announce: (method, params) =>
      unsolicited.send({ jsonrpc: '2.0', method, ...(params === undefined ? {} : { params }) }, undefined),
  }
  return session
}

function introduction(policies: Policies, version: string): JsonObject {
  return {
    protocolVersion: version,
    capabilities: policies.capabilities,
    serverInfo: policies.serverInfo,
    ...(policies.instructions === undefined ? {} : { instructions: policies.instructions }),
  }
}

/** A feature is offered where its capability is declared; `ping` needs none. */
function find(policies: Policies, method: string): Feature | undefined {
  const extra = policies.extraMethods[method]
  if (extra !== undefined) return params => extra(params)
  const known = Object.hasOwn(features, method) ? features[method] : undefined
  if (known === undefined) return undefined
  return known.capability === undefined || Object.hasOwn(policies.capabilities, known.capability)
    ? known.run
    : undefined
}

function isValid(message: JsonObject, shape: string): boolean {
  if (message.jsonrpc !== '2.0') return false
  if (Object.hasOwn(message, 'params') && !isObject(message.params)) return false
  if (shape === 'request') return typeof message.method === 'string' && isRequestId(message.id)
  if (shape === 'notification') return typeof message.method === 'string'
  return shape === 'result' || shape === 'error'
}
