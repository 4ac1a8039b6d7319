/** The client as its user has it: connected, with what it knows of the server, whatever becomes of single sessions. */
import type { Json, JsonObject } from '../../wire/json-rpc.ts'
import type { Tamper } from '../outgoing.ts'
import type { Courtesies } from './answers.ts'
import type { Clock } from './clock.ts'
import { createFetcher, iconsOf } from './fetches.ts'
import { createHttpLink } from './http.ts'
import { createInteractions, type Interactions } from './interactions.ts'
import type { LinkContext, OpenLink } from './link.ts'
import { followPages, type Listed } from './pages.ts'
import type { ClientPolicies } from './policies.ts'
import type { Reply } from './reply.ts'
import type { RequestOptions } from './requests.ts'
import { toolsIn } from './results.ts'
import { createSession, type Session } from './session.ts'
import type { Settings } from './settings.ts'
import { createStdioLink, type ServerProcess } from './stdio.ts'
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
  user(): ReturnType<Courtesies['user']>
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
  const { policies, clock, crash, place } = context
  const settings = { ...context.settings }
  const nextId = policies.ids()
  const tasks = createTaskDesk(policies.tasks, crash)
  const interactions = createInteractions()
  const fetcher = createFetcher(policies.fetching)
  const linkContext: LinkContext = { policies, tamper: context.tamper, clock, crash }
  const subscribed = new Set<Json | undefined>()
  let tools: Map<string, JsonObject> | undefined
  let isDown = false
  let lastId: Json = 0
  let sessions = 0
  let renewals = 0
  let renewing: Promise<Reply> | undefined
  let session: Session

  const user = (): ReturnType<Courtesies['user']> => ({
    rules: policies.elicitation,
    show: context.show,
    about: (url, moment) => fetcher.about(url, moment, session.sessionId),
    await: id => interactions.await(id),
  })
  const onNotification = (method: string, params: JsonObject): void => {
    // What was known of the tools may be wrong now.
    if (method === 'notifications/tools/list_changed') tools = undefined
    if (method !== 'notifications/elicitation/complete') return
    const ended = policies.elicitation.ends(params.elicitationId, interactions.waiting)
    if (ended !== undefined) interactions.end(ended)
  }
  const openLink =
    (previousId: string | undefined): OpenLink =>
    events =>
      'url' in place
        ? createHttpLink(linkContext, place.url, events, previousId)
        : createStdioLink(linkContext, place.launch(), events)
  const begin = (previousId?: string): Session => {
    sessions += 1
    isDown = false
    tools = undefined
    subscribed.clear()
    return createSession(
      {
        policies,
        clock,
        settings,
        tasks,
        owner: `session ${sessions}`,
        user,
        tested: context.tested,
        crash,
        ids: () => {
          lastId = nextId()
          return lastId
        },
        onExpired: () => void renew(session).catch(crash),
        onDown: () => {
          isDown = true
        },
        onNotification,
      },
      openLink(previousId),
    )
  }
  const lookAtIcons = (value: Json | undefined): void => {
    for (const url of iconsOf(value)) fetcher.about(url, 'icon', session.sessionId)
  }
  const open = async (): Promise<Reply> => {
    session = begin()
    return introduced(await session.open())
  }
  const introduced = (reply: Reply): Reply => {
    if (reply.kind === 'result') lookAtIcons(session.serverInfo)
    return reply
  }
  /** A new session in place of one that the server has forgotten; of several that see it, one does it. */
  const renew = (gone: Session): Promise<Reply | undefined> => {
    if (renewing !== undefined) return renewing
    if (session !== gone) return Promise.resolve(undefined)
    if (policies.onExpired !== 'open anew' || renewals >= policies.maxRenewals) {
      if (policies.onExpired === 'stop') isDown = true
      return Promise.resolve(undefined)
    }
    renewals += 1
    const { sessionId } = gone
    gone.expire()
    session = begin(sessionId)
    renewing = session.open().then(reply => {
      renewing = undefined
      if (reply.kind !== 'result') isDown = true
      return introduced(reply)
    })
    return renewing
  }
  const request = async (method: string, params?: JsonObject, options?: RequestOptions): Promise<Reply> => {
    const used = session
    const reply = await used.request(method, params, options)
    if (reply.kind !== 'failed' || reply.why !== 'expired') return reply
    await renew(used)
    return session === used || isDown ? reply : session.request(method, params, options)
  }
  const list = async (method: string, params: JsonObject, options?: RequestOptions): Promise<Listed> => {
    const listed = await followPages(policies.pages, method, params, page =>
      request(method, Object.keys(page).length === 0 ? undefined : page, options),
    )
    if (method === 'tools/list' && listed.reply.kind === 'result') tools = toolsIn(listed.items)
    for (const item of listed.items) lookAtIcons(item)
    return listed
  }
  const reconnect = async (): Promise<Reply> => {
    await session.close()
    return open()
  }
  return {
    policies,
    clock,
    settings,
    interactions,
    subscribed,
    get session() {
      return session
    },
    get tools() {
      return tools
    },
    get isDown() {
      return isDown
    },
    get lastId() {
      return lastId
    },
    user,
    open,
    request,
    list,
    send: message => session.send(message),
    async setRoots(roots) {
      settings.roots = roots
      for (const said of policies.roots.changed(policies.roots.told(roots))) await session.send(said)
    },
    reconnect,
    async close() {
      await session.close()
      fetcher.stop()
    },
    destroy() {
      session?.destroy()
      fetcher.stop()
    },
  }
}
