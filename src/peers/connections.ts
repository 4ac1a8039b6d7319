/** How a target is reached, again and again: by a process for each session, or at one endpoint. */
import type { Conversation } from '../dialects/family.ts'
import type { HeaderList, WireLog } from '../wire/log.ts'
import { type HttpLink, openHttpLink } from './http-link.ts'
import type { Link, LinkEvents } from './link.ts'
import type { Launch } from './process.ts'
import { createProcesses, type Processes } from './processes.ts'
import type { SessionCare } from './session-care.ts'
import type { StdioLink } from './stdio-link.ts'

export type Access =
  | { via: 'stdio'; launch: Launch }
  | {
      via: 'http'
      url: string
      headers: HeaderList /** makes sure that the server runs */
      ready?: () => Promise<void>
      /** the addresses of this host beside loopback, where we started the server ourselves */
      elsewhere?: string[]
    }

export interface Connected {
  session: string
  link: StdioLink | HttpLink
  listen(events: LinkEvents): void
  elsewhere?: string[]
}

/** How the target is reached. */
export interface Connections {
  open(conversation: Conversation, scenario: string | undefined): Promise<Connected>
  interrupt(): void
  processes?: Processes
}

export interface ConnectionOptions {
  access: Access
  log: WireLog
  /** processes started ahead at most */
  ahead: number
}

export const connectionsTo = (options: ConnectionOptions, care: SessionCare): Connections =>
  options.access.via === 'stdio'
    ? overPipes(options, options.access.launch, care)
    : overHttp(options, options.access, care)

/** A server that does not end by itself after its stdin was closed gets this long in ordinary clean-up. */
const CLEANUP_MS = 1_000

function overPipes({ log, ahead }: ConnectionOptions, launch: Launch, care: SessionCare): Connections {
  const processes = createProcesses({
    launch,
    log,
    ahead,
    cleanupMs: CLEANUP_MS,
    nextSession: care.nextSession,
    discard: link => care.track(link.close()),
  })
  return {
    async open(_conversation, scenario) {
      const { link, events } = processes.take()
      if (scenario !== undefined) link.labels.scenario = scenario
      return { session: link.labels.session, link, listen: next => Object.assign(events, next) }
    },
    interrupt: () => processes.interrupt(),
    processes,
  }
}

function overHttp(
  { log }: ConnectionOptions,
  access: Extract<Access, { via: 'http' }>,
  care: SessionCare,
): Connections {
  const links = new Set<Link>()
  const counter = { exchanges: 0 }
  let interrupted = false
  return {
    async open(conversation, scenario) {
      await access.ready?.()
      const session = care.nextSession()
      const events: LinkEvents = { message() {} }
      const link: HttpLink = openHttpLink({
        url: access.url,
        headers: access.headers,
        log,
        labels: { session, ...(scenario === undefined ? {} : { scenario }) },
        counter,
        conversation,
        events: { message: frame => events.message(frame) },
      })
      links.add(link)
      if (interrupted) link.interrupt()
      const listen = (next: LinkEvents): void => void Object.assign(events, next)
      return { session, link, listen, ...(access.elsewhere === undefined ? {} : { elsewhere: access.elsewhere }) }
    },
    interrupt() {
      interrupted = true
      for (const link of links) link.interrupt()
    },
  }
}
