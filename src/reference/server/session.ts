/** The protocol of the reference server, without any transport: messages in, messages out. */
import { createCollector } from '../../peers/server/collector.ts'
import { featureOf } from '../../peers/server/features.ts'
import type { Outcome, Said } from '../../peers/server/outcome.ts'
import { askClient, settleQuestion, type WaitingAnswers } from '../../peers/server/questions.ts'
import { isValidMessage, receive } from '../../peers/server/receive.ts'
import type { ResponseChannel } from '../../peers/server/response-channel.ts'
import { createRunning, type Running, type RunningRequest } from '../../peers/server/running.ts'
import { codes, isObject, type Json, type JsonObject, notification, request } from '../../wire/json-rpc.ts'
import type { Policies } from '../policies.ts'
import type { SessionView } from '../views.ts'
import type { Answer } from './answer.ts'
import { features } from './features.ts'
import { rememberRoots } from './roots.ts'
import { createTaskStore, type TaskStore } from './task-store.ts'
import type { Feature, Tools } from './tools.ts'

export interface ReferenceSession {
  readonly view: SessionView
  /** Handles one message; resolves when everything that it causes has been sent. */
  receive(json: Json, channel: ResponseChannel): Promise<void>
  /** Sends what belongs to no request. */
  announce(method: string, params?: JsonObject): void
}

/** Where a message goes. */
export type Speaker = Pick<ResponseChannel, 'say'>

interface State {
  policies: Policies
  view: SessionView
  /** for what belongs to no request */
  unsolicited: Speaker
  tasks: TaskStore
  waiting: WaitingAnswers
  running: Running<JsonObject>
  asks: number
}

export function createSession(
  policies: Policies,
  id: string,
  unsolicited: Speaker,
  tasks: TaskStore = createTaskStore(policies.tasks),
): ReferenceSession {
  const view: SessionView = { id, version: undefined, ended: false, initialized: false, clientCapabilities: {} }
  const waiting = policies.questions()
  const state: State = { policies, view, unsolicited, tasks, waiting, running: createRunning(), asks: 0 }
  return {
    view,
    receive: (json, channel) => receiveIn(state, json, channel),
    announce: (method, params) => announce(state, method, params),
  }
}

const announce = ({ unsolicited }: State, method: string, params?: JsonObject): void => {
  void unsolicited.say({ message: notification(method, params) }, undefined)
}

/** Asks the client; for the sake of a request of its own, where there is one. */
function ask(
  state: State,
  to: Speaker,
  method: string,
  params: JsonObject | undefined,
  work?: { cause: JsonObject; running: RunningRequest<JsonObject> },
): Promise<JsonObject> {
  const { policies, waiting } = state
  state.asks += 1
  const message = request(`server-${state.asks}`, method, params)
  const say = (said: Json): void => {
    void to.say({ message: said }, work?.cause)
  }
  return askClient(waiting, {
    message,
    timeoutMs: policies.askTimeoutMs,
    send: say,
    onGiveUp: why => policies.onAskTimeout(message, why).forEach(say),
    whileOpen: giveUp =>
      work?.running.onCancel(() => {
        if (policies.stopsWhenCancelled) giveUp('no longer needed')
      }) ?? (() => {}),
  })
}

function greet(state: State, when: 'answered' | 'initialized' | 'roots changed'): void {
  for (const { method, params } of state.policies.greets(when, state.view)) {
    const withParams = isObject(params) ? params : undefined
    if (String(method).startsWith('notifications/')) announce(state, String(method), withParams)
    else
      void ask(state, state.unsolicited, String(method), withParams).then(answer => {
        if (method === 'roots/list') rememberRoots(state.view, answer)
      })
  }
}

async function receiveIn(state: State, json: Json, channel: ResponseChannel): Promise<void> {
  const { policies, view } = state
  const invalid = (wrong: Json): void => {
    const answer = policies.onInvalid(wrong)
    if (answer !== undefined) void channel.respond({ messages: [answer] }, isObject(wrong) ? wrong : {})
  }
  await receive(json, {
    isValid: isValidMessage,
    async request(message) {
      if (policies.drops(message)) return
      const delay = policies.delay(message)
      if (delay > 0) await policies.sleep(delay)
      await serve(state, message, channel)
    },
    notification: message => hear(state, message, channel),
    response: message => settleQuestion(state.waiting, message),
    async batch(parts) {
      if (policies.batch(view.version) !== 'answer' || parts.length === 0) return invalid(json)
      const answers = createCollector()
      for (const part of parts) await receiveIn(state, part, answers)
      const joined = policies.joinBatch([...answers.messages])
      await channel.respond({ messages: joined.filter(one => !Array.isArray(one) || one.length > 0) }, {})
    },
    invalid,
  })
}

function hear(state: State, message: JsonObject, channel: ResponseChannel): void {
  const { policies, view } = state
  if (message.method === 'notifications/cancelled')
    state.running.cancel(isObject(message.params) ? message.params.requestId : undefined, message)
  const answer = policies.onNotification(message)
  if (answer !== undefined) void channel.say({ message: answer }, message)
  if (message.method === 'notifications/initialized' && !view.initialized) {
    view.initialized = true
    // Not in the same turn of the event loop: no client behind a real pipe could be that quick.
    setImmediate(greet, state, 'initialized')
  }
  if (message.method === 'notifications/roots/list_changed') greet(state, 'roots changed')
}

async function serve(state: State, message: JsonObject, channel: ResponseChannel): Promise<void> {
  const { policies, view } = state
  const method = String(message.method)
  const params = isObject(message.params) ? message.params : {}
  if (method === 'initialize') {
    const answered = channel.respond({ result: initialize(state, params) }, message)
    greet(state, 'answered')
    return answered
  }
  if (view.version === undefined && policies.beforeInitialize(method) === 'refuse') {
    const error = { code: codes.invalidRequest, message: 'The session is not initialized' }
    return channel.respond({ error }, message)
  }
  const feature = find(state, method)
  const outcome =
    feature === undefined
      ? inPlace(policies.onUnknownMethod(message))
      : await run(state, message, feature, params, channel)
  if (outcome !== undefined) await channel.respond(outcome, message)
}

type Outgone = Exclude<Outcome, 'silence'>

const inPlace = (message: JsonObject | undefined): Outgone | undefined =>
  message === undefined ? undefined : { messages: [message] }

/** What becomes of the request; undefined where it is not answered. */
async function run(
  state: State,
  message: JsonObject,
  feature: Feature,
  params: JsonObject,
  channel: ResponseChannel,
): Promise<Outgone | undefined> {
  const { policies } = state
  const running = state.running.start(message.id)
  try {
    const answer = await feature(params, toolsFor(state, message, running, channel))
    const response = responseOf(message, answer)
    return inPlace(running.isCancelled ? policies.onCancelled(response) : response)
  } catch {
    return inPlace(policies.onException(message))
  } finally {
    running.end()
  }
}

const responseOf = ({ id }: JsonObject, answer: Answer): JsonObject =>
  'error' in answer ? { jsonrpc: '2.0', id, error: answer.error } : { jsonrpc: '2.0', id, result: answer }

function toolsFor(
  state: State,
  message: JsonObject,
  running: RunningRequest<JsonObject>,
  channel: ResponseChannel,
): Tools {
  const { policies, view, unsolicited, tasks } = state
  const say = (to: Speaker, said: Said): void => {
    void to.say(said, message)
  }
  return {
    ask: (method, params) => ask(state, channel, method, params, { cause: message, running }),
    notify: (method, params) =>
      say(policies.strays(method) ? unsolicited : channel, { message: notification(method, params) }),
    announce: (method, params) => announce(state, method, params),
    closeConnection() {
      if (policies.polls(view.version)) channel.disconnect()
    },
    cancelled: () => running.isCancelled && policies.stopsWhenCancelled,
    session: view,
    capabilities: declaredBy(policies, view.version),
    tasks,
    policies,
  }
}

function initialize({ policies, view }: State, params: JsonObject): JsonObject {
  const version = policies.negotiate(params.protocolVersion)
  view.version = version
  view.clientCapabilities = isObject(params.capabilities) ? params.capabilities : {}
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

/** A feature is offered where its capability is declared. */
function find({ policies, view }: State, method: string): Feature | undefined {
  const extra = policies.extraMethods[method]
  return extra === undefined ? featureOf(features, method, declaredBy(policies, view.version)) : params => extra(params)
}
