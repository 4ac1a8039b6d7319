/** Gives each scenario the conversation it asks for; those that may be shared are kept open between scenarios. */
import { type OpenPeer, showsLife } from '../../peers/open-peer.ts'
import type { SessionFactory } from '../../peers/session-factory.ts'
import type { AnyScenario } from '../../suite/server-scenario.ts'

export interface Sessions {
  /** Finds an idle session or opens one. `why`: no handshake came about; `dead`: nothing answers any more. */
  take(id: string, scenario: AnyScenario): Promise<{ peer: OpenPeer } | { why: string; dead: boolean }>
  /** The scenario is over: a session of its own is closed, a damaged one is given up, any other is free for the next. */
  give(scenario: AnyScenario, peer: OpenPeer): Promise<void>
  close(): Promise<void>
}

/** `alone`: nothing is shared, as for a confirmation. `onAnswer` hears how long each look at a session's life took. */
export function createSessions(
  factory: SessionFactory,
  sharing: 'shared' | 'alone',
  onAnswer: (answerMs: number) => void = () => {},
): Sessions {
  const idle = new Map<string, OpenPeer[]>()
  const keyOf = (scenario: AnyScenario): string | undefined => (sharing === 'alone' ? undefined : shareKey(scenario))

  return {
    async take(id, scenario) {
      const key = keyOf(scenario)
      const known = key === undefined ? undefined : idle.get(key)?.pop()
      if (known !== undefined) return { peer: known }
      if (scenario.session === 'no-handshake') return { peer: await factory.open('no-handshake', id) }
      return openFor(factory, scenario, id)
    },
    async give(scenario, peer) {
      const key = keyOf(scenario)
      if (key === undefined) {
        void peer.close()
        return
      }
      const answer = peer.isGone ? undefined : await peer.request(peer.liveness)
      // Desynchronised is not dead: the process lives, but a fresh ping gets no answer. Either way it is of no more use.
      if (answer === undefined || !showsLife(answer)) {
        void peer.close()
        return
      }
      onAnswer(answer.afterMs)
      idle.set(key, [...(idle.get(key) ?? []), peer])
    },
    async close() {
      const open = [...idle.values()].flat()
      idle.clear()
      await Promise.all(open.map(peer => peer.close()))
    },
  }
}

/**
 * Scenarios share what they were opened with. What is `own` may follow others of its kind only: it leaves traces (a
 * level, a subscription, bytes that are no message), which those that are shared must not meet.
 */
function shareKey({ session = 'shared', hello = {} }: AnyScenario): string | undefined {
  return session === 'shared' || session === 'own' ? `${session} ${JSON.stringify(hello)}` : undefined
}

async function openFor(
  factory: SessionFactory,
  { hello = {} }: AnyScenario,
  id: string,
): Promise<{ peer: OpenPeer } | { why: string; dead: boolean }> {
  // One retry: a server that is just being restarted by somebody else deserves it, and it costs little.
  for (let attempt = 1; ; attempt += 1) {
    const peer = await factory.open(hello, id)
    if (peer.opening?.kind === 'result') return { peer }
    const why = refusal(peer)
    const timedOut = peer.opening?.kind === 'none' && peer.opening.why === 'timeout'
    void peer.close()
    if (attempt === 2 || timedOut) return { why, dead: peer.opening?.kind === 'none' }
  }
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
