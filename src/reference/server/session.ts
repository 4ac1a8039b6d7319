/** The protocol of the reference server, without any transport: messages in, messages out. */
import { clock } from '../../wire/clock.ts'
import {
  at,
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
import type { Policies } from '../policies.ts'
import type { SessionView } from '../views.ts'
import { type Feature, features } from './features.ts'
import { rememberRoots } from './roots.ts'
import { createTaskStore, type TaskStore } from './tasks.ts'

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
  /** Sends what belongs to no request. */
  announce(method: string, params?: JsonObject): void
  /** Closes the connection of this request; the client has to reconnect for what comes then. */
  closeConnection(): void
  cancelled(): boolean
  session: SessionView
  /** What the server has declared in this session. */
  capabilities: JsonObject
  /** The tasks of all sessions. */
  tasks: TaskStore
  policies: Policies
}

/** A request of the client that is being worked on. */
interface Running {
  cancelled: boolean
  /** gives up a question that was asked for its sake, a function each */
  questions: Set<(why: string) => void>
}

export function createSession(
  policies: Policies,
  id: string,
  unsolicited: Channel,
  tasks: TaskStore = createTaskStore(),
): ReferenceSession {
  const view: SessionView = {
    id,
    version: undefined,
    ended: false,
    initialized: false,
    clientCapabilities: {},
  }
  const asked = policies.questions()
  const running = new Map<string, Running>()
  let asks = 0

  const ask = (
    channel: Channel,
    method: string,
    params: JsonObject | undefined,
    cause: JsonObject | undefined,
    work?: Running,
  ): Promise<JsonObject> => {
    asks += 1
    const askId = `server-${asks}`
    const message = { jsonrpc: '2.0', id: askId, method, ...(params === undefined ? {} : { params }) }
    return new Promise(resolve => {
      // A late answer finds nobody waiting and is ignored.
      const giveUp = (why: string): void => {
        asked.delete(askId)
        for (const said of policies.onAskTimeout(message, why)) channel.send(said, cause)
        settle(failure(askId, codes.internalError, why))
      }
      const takeBack = clock().after(policies.askTimeoutMs, () => giveUp('no answer in time'), 'in passing')
      const settle = (answer: JsonObject): void => {
        takeBack()
        work?.questions.delete(giveUp)
        resolve(answer)
      }
      asked.set(askId, settle)
      work?.questions.add(giveUp)
      channel.send(message, cause)
    })
  }
  const greet = (when: 'answered' | 'initialized' | 'roots changed'): void => {
    for (const { method, params } of policies.greets(when, view)) {
      const withParams = isObject(params) ? params : undefined
      if (String(method).startsWith('notifications/')) session.announce(String(method), withParams)
      else
        void ask(unsolicited, String(method), withParams, undefined).then(answer => {
          if (method === 'roots/list') rememberRoots(view, answer)
        })
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
    const feature = find(policies, method, view.version)
    if (feature === undefined) {
      const answer = policies.onUnknownMethod(message)
      if (answer !== undefined) channel.send(answer, message)
      return
    }
    const state: Running = { cancelled: false, questions: new Set() }
    const key = idKey(messageId)
    running.set(key, state)
    try {
      const answer = await feature(params, {
        ask: (name, more) => ask(channel, name, more, message, state),
        notify: (name, more) =>
          (policies.strays(name) ? unsolicited : channel).send({ jsonrpc: '2.0', method: name, params: more }, message),
        announce: session.announce,
        closeConnection: () => {
          if (policies.polls(view.version)) channel.cut?.()
        },
        cancelled: () => state.cancelled && policies.stopsWhenCancelled,
        session: view,
        capabilities: declaredBy(policies, view.version),
        tasks,
        policies,
      })
      const response =
        'error' in answer ? { jsonrpc: '2.0', id: messageId, error: answer.error } : result(messageId, answer)
      const sent = state.cancelled ? policies.onCancelled(response) : response
      if (sent !== undefined) channel.send(sent, message)
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
        if (policies.stopsWhenCancelled) for (const giveUp of state?.questions ?? []) giveUp('no longer needed')
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
    capabilities: declaredBy(policies, version),
    serverInfo: policies.serverInfo,
    ...(policies.instructions === undefined ? {} : { instructions: policies.instructions }),
  }
}

/** Tasks came late; the other capabilities are declared to everybody. */
function declaredBy(policies: Policies, version: string | undefined): JsonObject {
  const { tasks, ...rest } = policies.capabilities
  return tasks === undefined || !policies.tasks.known(version) ? rest : { ...rest, tasks }
}

/** A feature is offered where its capability is declared; `ping` needs none. */
function find(policies: Policies, method: string, version: string | undefined): Feature | undefined {
  const extra = policies.extraMethods[method]
  if (extra !== undefined) return params => extra(params)
  const known = Object.hasOwn(features, method) ? features[method] : undefined
  if (known === undefined) return undefined
  return known.capability === undefined || declares(declaredBy(policies, version), known.capability)
    ? known.run
    : undefined
}

/** `resources.subscribe` is a switch inside a capability. */
function declares(capabilities: JsonObject, path: string): boolean {
  const [name = '', option] = path.split('.')
  const value = option === undefined ? true : at(capabilities, name, option)
  return Object.hasOwn(capabilities, name) && (value === true || isObject(value))
}

function isValid(message: JsonObject, shape: string): boolean {
  if (message.jsonrpc !== '2.0') return false
  if (Object.hasOwn(message, 'params') && !isObject(message.params)) return false
  if (shape === 'request') return typeof message.method === 'string' && isRequestId(message.id)
  if (shape === 'notification') return typeof message.method === 'string'
  return shape === 'result' || shape === 'error'
}
