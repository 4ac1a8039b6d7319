import type { OpenPeer } from '../../peers/open-peer.ts'
import type { SessionFactory } from '../../peers/session-factory.ts'
import type { AnyScenario } from '../../suite/server-scenario.ts'

/** A conversation that begins with the scenario and is shared with none. */
export async function openFor(
  factory: SessionFactory,
  { hello = {}, session }: AnyScenario,
  id: string,
): Promise<{ peer: OpenPeer } | { why: string; dead: boolean }> {
  if (session === 'no-handshake') return { peer: await factory.open('no-handshake', id) }
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
