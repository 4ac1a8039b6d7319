/** Gives each scenario the conversation it asks for; shared ones are kept open between scenarios. */
import { type OpenPeer, showsLife } from '../peers/open-peer.ts'
import type { SessionFactory } from '../peers/session-factory.ts'
import type { AnyScenario } from '../suite/server-scenario.ts'

export interface Sessions {
  /** Opens or finds the session. `undefined` means that no handshake came about, for the reason in `why`. */
  take(id: string, scenario: AnyScenario): Promise<{ peer: OpenPeer } | { why: string; dead: boolean }>
  /** The scenario is over: a session of its own is closed, a damaged shared one is given up. */
  give(scenario: AnyScenario, peer: OpenPeer): Promise<void>
  close(): Promise<void>
}

/** Sessions of one lane. `alone`: nothing is shared, as for a confirmation. */
export function createSessions(opener: SessionFactory, sharing: 'shared' | 'alone'): Sessions {
  const shared = new Map<string, OpenPeer>()
  const keyOf = (scenario: AnyScenario): string | undefined =>
    sharing === 'alone' || (scenario.session ?? 'shared') !== 'shared'
      ? undefined
      : JSON.stringify(scenario.hello ?? {})

  return {
    async take(id, scenario) {
      const key = keyOf(scenario)
      const known = key === undefined ? undefined : shared.get(key)
      if (known !== undefined) return { peer: known }
      if (scenario.session === 'no-handshake') return { peer: await opener.open('no-handshake', id) }
      // One retry: a server that is just being restarted by somebody else deserves it, and it costs little.
      for (let attempt = 1; ; attempt += 1) {
        const peer = await opener.open(scenario.hello ?? {}, id)
        if (peer.opening?.kind === 'result') {
          if (key !== undefined) shared.set(key, peer)
          return { peer }
        }
        const why = refusal(peer)
        const timedOut = peer.opening?.kind === 'none' && peer.opening.why === 'timeout'
        void peer.close()
        if (attempt === 2 || timedOut) return { why, dead: peer.opening?.kind === 'none' }
      }
    },
    async give(scenario, peer) {
      const key = keyOf(scenario)
      if (key === undefined) {
        void peer.close()
        return
      }
      if (peer.isGone || !(await responsive(peer))) {
        shared.delete(key)
        void peer.close()
      }
    },
    async close() {
      await Promise.all([...shared.values()].map(peer => peer.close()))
    },
  }
}

/** Desynchronised is not dead: the process lives, but a fresh ping gets no answer. Either way the session is of no more use. */
async function responsive(peer: OpenPeer): Promise<boolean> {
  return showsLife(await peer.request(peer.liveness))
}

function refusal(peer: OpenPeer): string {
  const opening = peer.opening
  if (opening === undefined) return 'no handshake was tried'
  switch (opening.kind) {
    case 'error':
      return `the handshake was refused with error ${opening.code}: ${opening.message}`
    case 'http-error':
      return `the handshake was refused with HTTP ${opening.http.status}`
    case 'none':
      return opening.why === 'timeout'
        ? 'initialize was not answered'
        : `the handshake failed: ${opening.detail ?? opening.why}`
    case 'result':
      return 'the handshake succeeded'
  }
}
