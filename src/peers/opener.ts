/**
 * Opens sessions on one target and owns what lives as long as the run: processes started ahead, the
 * server that `--start` launches, everything that has to be ended.
 */

import type { Hello } from '../dialects/dialect.ts'
import { stateful } from '../dialects/stateful.ts'
import type { Revision } from '../spec/revision.ts'
import type { HeaderList, WireLog } from '../wire/log.ts'
import { openHttpLink } from './http-link.ts'
import type { Link, LinkEvents } from './link.ts'
import { type OpenPeer, openPeer } from './open-peer.ts'
import type { Launch } from './process.ts'
import { openStdioLink, type StdioLink } from './stdio-link.ts'
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
  open(hello: Hello | 'no-handshake', scenario?: string): Promise<OpenPeer>
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
  const { access, patience, log } = options
  const peers = new Set<OpenPeer>()
  const links = new Set<Link>()
  const closing = new Set<Promise<void>>()
  const spares: Spare[] = []
  const counter = { exchanges: 0 }
  let sessions = 0
  let starts = 0
  let expected = 0
  let over = false
  let interrupted = false

  const nextSession = (): string => {
    sessions += 1
    const session = `s${sessions}`
    options.onSession?.(session, 'begins')
    return session
  }
  const startProcess = (launch: Launch): Spare => {
    starts += 1
    // A spare's messages before it is adopted (a banner) are in the log; nobody waits for them.
    const events: LinkEvents = { message() {} }
    const link = openStdioLink(
      launch(),
      log,
      { session: nextSession(), process: `p${starts}` },
      { message: frame => events.message(frame) },
      CLEANUP_MS,
    )
    links.add(link)
    if (interrupted) link.interrupt()
    return { link, events }
  }
  const startAhead = (): void => {
    if (access.via !== 'stdio' || over) return
    while (spares.length < Math.min(options.ahead, expected)) spares.push(startProcess(access.launch))
  }
  const takeProcess = (launch: Launch): Spare => {
    let spare = spares.shift()
    while (spare?.link.isGone) {
      track(spare.link.close())
      spare = spares.shift()
    }
    return spare ?? startProcess(launch)
  }
  const track = (ending: Promise<void>): void => {
    closing.add(ending)
    void ending.finally(() => closing.delete(ending))
  }
  const open = async (hello: Hello | 'no-handshake', scenario?: string): Promise<OpenPeer> => {
    const common = {
      log,
      dialect: stateful(options.revision),
      offered: options.revision,
      patience,
      callTools: options.callTools ?? SAFE,
      hello,
      another: (next: Hello | 'no-handshake', inside: string | undefined) => open(next, inside),
    }
    let peer: OpenPeer
    let session: string
    if (access.via === 'stdio') {
      const { link, events } = takeProcess(access.launch)
      expected = Math.max(0, expected - 1)
      startAhead()
      session = link.labels.session
      if (scenario !== undefined) link.labels.scenario = scenario
      peer = await openPeer({ ...common, link, listen: next => Object.assign(events, next) })
    } else {
      await access.ready?.()
      session = nextSession()
      const events: LinkEvents = { message() {} }
      const labels = { session, ...(scenario === undefined ? {} : { scenario }) }
      const link = openHttpLink(access.url, access.headers, log, labels, counter, {
        message: frame => events.message(frame),
      })
      links.add(link)
      if (interrupted) link.interrupt()
      const { elsewhere } = access
      peer = await openPeer({
        ...common,
        link,
        listen: next => Object.assign(events, next),
        ...(elsewhere === undefined ? {} : { elsewhere }),
      })
    }
    if (opener.liveness !== undefined) peer.liveness = opener.liveness
    peers.add(peer)
    const close = peer.close
    let ending: Promise<void> | undefined
    peer.close = () => {
      ending ??= close().finally(() => {
        peers.delete(peer)
        options.onSession?.(session, 'ends')
      })
      track(ending)
      return ending
    }
    return peer
  }
  const opener: Opener = {
    access,
    patience,
    liveness: undefined,
    open,
    reserve(count) {
      expected = count
      startAhead()
    },
    get starts() {
      return starts
    },
    interrupt() {
      over = true
      interrupted = true
      for (const link of links) link.interrupt()
    },
    async close() {
      over = true
      for (const peer of peers) track(peer.close())
      for (const spare of spares.splice(0))
        track(spare.link.close().finally(() => options.onSession?.(spare.link.labels.session, 'ends')))
      while (closing.size > 0) await Promise.all(closing)
    },
  }
  return opener
}

interface Spare {
  link: StdioLink
  events: LinkEvents
}
