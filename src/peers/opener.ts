/**
 * Opens sessions on one target and owns what lives as long as the run: processes started ahead, the
 * server that `--start` launches, everything that has to be ended.
 */
import { alternativesTo, familyOf } from '../dialects/families.ts'
import type { Conversation, Hello } from '../dialects/family.ts'
import type { Revision } from '../spec/revision.ts'
import type { HeaderList, WireLog } from '../wire/log.ts'
import { type HttpLink, openHttpLink } from './http-link.ts'
import type { Link, LinkEvents } from './link.ts'
import { type OpenPeer, openPeer } from './open-peer.ts'
import type { Launch } from './process.ts'
import { createProcesses, type Processes } from './processes.ts'
import { type CallTools, type Patience, SAFE } from './target.ts'

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

export interface Opener {
  readonly access: Access
  readonly patience: Patience
  /** What is offered, and with it the family that is spoken. */
  readonly revision: Revision
  open(hello: Hello | 'no-handshake', scenario?: string): Promise<OpenPeer>
  /**
   * Where the target refuses to be opened in the family of `revision`: asks it in the others. The first that
   * introduces itself is returned, and its family is spoken from now on; undefined where none does.
   */
  probeFamilies(scenario?: string): Promise<OpenPeer | undefined>
  /** How many more processes will surely be needed; some of them are started ahead. */
  reserve(count: number): void
  /** The request that shows life on this target (see OpenPeer.liveness). */
  liveness: string | undefined
  /** Processes started so far. */
  readonly starts: number
  close(): Promise<void>
  /** Ends every conversation at once; what waits for an answer stops waiting. */
  interrupt(): void
}

export interface OpenerOptions {
  access: Access
  revision: Revision
  patience: Patience
  log: WireLog
  /** default: safe */
  callTools?: CallTools
  /** processes started ahead at most */
  ahead: number
  /** Called when a session begins and when nothing more can come from it. */
  onSession?: (session: string, event: 'begins' | 'ends') => void
}

/** A server that does not end by itself after its stdin was closed gets this long in ordinary clean-up. */
const CLEANUP_MS = 1_000

export function createOpener(options: OpenerOptions): Opener {
  const { access, patience } = options
  const care = createCare(options)
  const connect = access.via === 'stdio' ? overPipes(options, access.launch, care) : overHttp(options, access, care)
  let revision = options.revision
  const openIn = async (spoken: Revision, hello: Hello | 'no-handshake', scenario?: string): Promise<OpenPeer> => {
    const terms = { revision: spoken, via: access.via, hello: hello === 'no-handshake' ? {} : hello }
    const conversation = familyOf(spoken).converse(terms)
    const { session, ...connected } = await connect.open(conversation, scenario)
    const peer = await openPeer({
      ...connected,
      log: options.log,
      conversation,
      patience,
      callTools: options.callTools ?? SAFE,
      hello,
      another: (next, inside) => openIn(spoken, next, inside),
    })
    if (opener.liveness !== undefined && spoken === revision) peer.liveness = opener.liveness
    return care.keep(peer, session)
  }
  const opener: Opener = {
    access,
    patience,
    get revision() {
      return revision
    },
    liveness: undefined,
    open: (hello, scenario) => openIn(revision, hello, scenario),
    async probeFamilies(scenario) {
      for (const other of alternativesTo(revision)) {
        const peer = await openIn(other, {}, scenario)
        if (peer.introduction?.kind === 'open') {
          revision = other
          return peer
        }
        await peer.close()
      }
      return undefined
    },
    reserve: count => connect.processes?.reserve(count),
    get starts() {
      return connect.processes?.starts ?? 0
    },
    interrupt: () => connect.interrupt(),
    async close() {
      const spares = connect.processes?.end() ?? []
      care.closeAll()
      for (const { link } of spares) care.end(link.labels.session, link.close())
      await care.over()
    },
  }
  return opener
}

/** What has to be ended, and whether it has. */
interface Care {
  nextSession(): string
  /** Watches over the end of a peer: it is closed once, whoever asks for it. */
  keep(peer: OpenPeer, session: string): OpenPeer
  closeAll(): void
  track(ending: Promise<void>): void
  /** The session has ended when that is over. */
  end(session: string, ending: Promise<void>): void
  over(): Promise<void>
}

function createCare({ onSession }: OpenerOptions): Care {
  const peers = new Set<OpenPeer>()
  const closing = new Set<Promise<void>>()
  let sessions = 0
  const track = (ending: Promise<void>): void => {
    closing.add(ending)
    void ending.finally(() => closing.delete(ending))
  }
  return {
    nextSession() {
      sessions += 1
      const session = `s${sessions}`
      onSession?.(session, 'begins')
      return session
    },
    keep(peer, session) {
      peers.add(peer)
      const close = peer.close
      let ending: Promise<void> | undefined
      peer.close = () => {
        ending ??= close().finally(() => {
          peers.delete(peer)
          onSession?.(session, 'ends')
        })
        track(ending)
        return ending
      }
      return peer
    },
    closeAll() {
      for (const peer of peers) track(peer.close())
    },
    track,
    end: (session, ending) => track(ending.finally(() => onSession?.(session, 'ends'))),
    async over() {
      while (closing.size > 0) await Promise.all(closing)
    },
  }
}

interface Connected {
  session: string
  link: Parameters<typeof openPeer>[0]['link']
  listen(events: LinkEvents): void
  elsewhere?: string[]
}

/** How the target is reached. */
interface Connect {
  open(conversation: Conversation, scenario: string | undefined): Promise<Connected>
  interrupt(): void
  processes?: Processes
}

function overPipes({ log, ahead }: OpenerOptions, launch: Launch, care: Care): Connect {
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

function overHttp({ log }: OpenerOptions, access: Extract<Access, { via: 'http' }>, care: Care): Connect {
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
