/** Names the sessions of a run and sees to it that each of them is ended, once. */

export interface Closable {
  close(): Promise<void>
}

/** What has to be ended, and whether it has. */
export interface SessionCare {
  nextSession(): string
  /** Watches over the end of a peer: it is closed once, whoever asks for it. */
  keep<Peer extends Closable>(peer: Peer, session: string): Peer
  closeAll(): void
  track(ending: Promise<void>): void
  /** The session has ended when that is over. */
  end(session: string, ending: Promise<void>): void
  over(): Promise<void>
}

/** `label` stands in front of the name of each session. */
export function createSessionCare(
  onSession: (session: string, event: 'begins' | 'ends') => void,
  label = '',
): SessionCare {
  const peers = new Set<Closable>()
  const closing = new Set<Promise<void>>()
  let sessions = 0
  const track = (ending: Promise<void>): void => {
    closing.add(ending)
    void ending.finally(() => closing.delete(ending))
  }
  return {
    nextSession() {
      sessions += 1
      const session = `${label}s${sessions}`
      onSession(session, 'begins')
      return session
    },
    keep(peer, session) {
      peers.add(peer)
      const close = peer.close
      let ending: Promise<void> | undefined
      peer.close = () => {
        ending ??= close().finally(() => {
          peers.delete(peer)
          onSession(session, 'ends')
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
    end: (session, ending) => track(ending.finally(() => onSession(session, 'ends'))),
    async over() {
      while (closing.size > 0) await Promise.all(closing)
    },
  }
}
