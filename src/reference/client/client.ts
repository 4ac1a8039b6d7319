/** The client as its user has it: connected, with what it knows of the server, whatever becomes of single sessions. */
import type { Json, JsonObject } from '../../wire/json-rpc.ts'
import type { Tamper } from '../outgoing.ts'
import type { AnswerContext } from './answer-context.ts'
import type { Clock } from './clock.ts'
import { createFetcher, type Fetcher, iconsOf, type Occasion } from './fetches.ts'
import { createHttpLink } from './http.ts'
import { createInteractions, type Interactions } from './interactions.ts'
import { createKnowledge, type Knowledge } from './knowledge.ts'
import type { LinkContext, OpenLink } from './link.ts'
import type { Listed } from './pages.ts'
import type { ClientPolicies } from './policies.ts'
import type { Reply } from './reply.ts'
import type { RequestOptions } from './requests.ts'
import type { ServerProcess } from './server-process.ts'
import { createSession, type Session, type SessionContext } from './session.ts'
import { type BeginSession, createSessions, type Sessions } from './sessions.ts'
import type { Settings } from './settings.ts'
import { createStdioLink } from './stdio.ts'
import { createTaskDesk } from './tasks.ts'

export interface Client {
  readonly policies: ClientPolicies
  readonly clock: Clock
  readonly settings: Settings
  readonly session: Session
  readonly interactions: Interactions
  /** As they were listed last; undefined as long as they were not. */
  readonly tools: Map<string, JsonObject> | undefined
  readonly subscribed: Set<Json | undefined>
  /** Nothing goes any more. */
  readonly isDown: boolean
  /** the id of the last request */
  readonly lastId: Json
  user: AnswerContext['user']
  open(): Promise<Reply>
  request(method: string, params?: JsonObject, options?: RequestOptions): Promise<Reply>
  /** A list, over all its pages. */
  list(method: string, params: JsonObject, options?: RequestOptions): Promise<Listed>
  send(message: JsonObject): Promise<void>
  setRoots(roots: Json[]): Promise<void>
  reconnect(): Promise<Reply>
  close(): Promise<void>
  destroy(): void
}

/** Where the server is. */
export type Place = { url: string } | { launch(): ServerProcess }

export interface ClientContext {
  policies: ClientPolicies
  tamper: Tamper
  clock: Clock
  settings: Settings
  place: Place
  tested: string | undefined
  show(text: string): void
  crash(problem: unknown): void
}

export function createClient(context: ClientContext): Client {
  const { policies, clock, crash, tested } = context
  const settings = { ...context.settings }
  const nextId = policies.ids()
  const tasks = createTaskDesk(policies.tasks, crash)
  const interactions = createInteractions()
  const fetcher = createFetcher(policies.fetching)
  let lastId: Json = 0

  const visit = (url: string, occasion: Occasion): void => fetcher.about(url, occasion, sessions.current.sessionId)
  const lookAtIcons = (value: Json | undefined): void => {
    for (const url of iconsOf(value)) visit(url, 'icon')
  }
  const knowledge = createKnowledge(policies.pages, lookAtIcons)
  const user: Client['user'] = () => ({
    rules: policies.elicitation,
    show: context.show,
    about: visit,
    await: id => interactions.await(id),
  })
  const ids = (): Json => {
    lastId = nextId()
    return lastId
  }
  const onNotification: SessionContext['onNotification'] = (method, params) => {
    if (method === 'notifications/tools/list_changed') knowledge.forgetTools()
    if (method === 'notifications/elicitation/complete') endInteraction(policies, interactions, params)
  }
  const begin: BeginSession = (owner, previousId, events) => {
    knowledge.forget()
    const shared = { policies, clock, settings, tasks, user, tested, crash, ids, onNotification }
    return createSession({ ...shared, owner, ...events }, linkTo(context, previousId))
  }
  const sessions = createSessions({ policies, begin, onOpened: ({ serverInfo }) => lookAtIcons(serverInfo), crash })
  const base = { policies, clock, settings, interactions, user }
  return clientOf(base, sessions, knowledge, fetcher, () => lastId)
}

function clientOf(
  base: Pick<Client, 'policies' | 'clock' | 'settings' | 'interactions' | 'user'>,
  sessions: Sessions,
  knowledge: Knowledge,
  fetcher: Fetcher,
  lastId: () => Json,
): Client {
  const { settings, policies } = base
  const { open, request } = sessions
  return {
    ...base,
    subscribed: knowledge.subscribed,
    get session() {
      return sessions.current
    },
    get tools() {
      return knowledge.tools
    },
    get isDown() {
      return sessions.isDown
    },
    get lastId() {
      return lastId()
    },
    open,
    request,
    list: (method, params, options) => knowledge.list(method, params, page => request(method, page, options)),
    send: message => sessions.current.send(message),
    async setRoots(roots) {
      settings.roots = roots
      for (const said of policies.roots.changed(policies.roots.told(roots))) await sessions.current.send(said)
    },
    async reconnect() {
      await sessions.current.close()
      return open()
    },
    async close() {
      await sessions.current.close()
      fetcher.stop()
    },
    destroy() {
      sessions.destroy()
      fetcher.stop()
    },
  }
}

function endInteraction(policies: ClientPolicies, interactions: Interactions, { elicitationId }: JsonObject): void {
  const ended = policies.elicitation.ends(elicitationId, interactions.waiting)
  if (ended !== undefined) interactions.end(ended)
}

const linkTo =
  ({ place, policies, tamper, clock, crash }: ClientContext, previousId: string | undefined): OpenLink =>
  events => {
    const link: LinkContext = { policies, tamper, clock, crash }
    return 'url' in place
      ? createHttpLink(link, place.url, events, previousId)
      : createStdioLink(link, place.launch(), events)
  }
