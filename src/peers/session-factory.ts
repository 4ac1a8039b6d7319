/**
 * Opens sessions on one target and owns what lives as long as the run: processes started ahead, the
 * server that `--start` launches, everything that has to be ended.
 */
import { alternativesTo, familyOf } from '../dialects/families.ts'
import type { Hello } from '../dialects/family.ts'
import type { Revision } from '../spec/revision.ts'
import type { WireLog } from '../wire/log.ts'
import { type Access, connectionsTo } from './connections.ts'
import { type OpenPeer, openPeer } from './open-peer.ts'
import { createSessionCare } from './session-care.ts'
import { type CallTools, SAFE, type Timeouts } from './target.ts'

export type { Access } from './connections.ts'

export interface SessionFactory {
  readonly access: Access
  readonly timeouts: Timeouts
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

export interface SessionFactoryOptions {
  access: Access
  revision: Revision
  timeouts: Timeouts
  log: WireLog
  /** default: safe */
  callTools?: CallTools
  /** processes started ahead at most */
  ahead: number
  /** stands in front of the names of its sessions in the log, to tell several factories apart */
  label?: string
  /** Called when a session begins and when nothing more can come from it. */
  onSession?: (session: string, event: 'begins' | 'ends') => void
}

export function createSessionFactory(options: SessionFactoryOptions): SessionFactory {
  const { access, timeouts } = options
  const care = createSessionCare(options.onSession ?? (() => {}), options.label)
  const connect = connectionsTo(options, care)
  let revision = options.revision
  const openIn = async (spoken: Revision, hello: Hello | 'no-handshake', scenario?: string): Promise<OpenPeer> => {
    const terms = { revision: spoken, via: access.via, hello: hello === 'no-handshake' ? {} : hello }
    const conversation = familyOf(spoken).converse(terms)
    const { session, ...connected } = await connect.open(conversation, scenario)
    const peer = await openPeer({
      ...connected,
      log: options.log,
      conversation,
      timeouts,
      callTools: options.callTools ?? SAFE,
      hello,
      another: (next, inside) => openIn(spoken, next, inside),
    })
    if (factory.liveness !== undefined && spoken === revision) peer.liveness = factory.liveness
    return care.keep(peer, session)
  }
  const factory: SessionFactory = {
    access,
    timeouts,
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
  return factory
}
