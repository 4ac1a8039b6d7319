/** Servers may serve clients with sessions beside those without (basic/versioning#backward-compatibility-with-initialization-based-versions). */
import type { Reply, ServerPeer } from '../../src/suite/server.ts'

const PARAMS = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'mcp-conformance', version: '0.1.0' },
}

/** Nothing in the head of an older request says what is in its body. */
const OLDER = { headers: { 'MCP-Protocol-Version': null, 'Mcp-Method': null } }

/** Opens a session in place of the first request of this conversation. */
export const initialize = (peer: ServerPeer): PromiseLike<Reply> =>
  peer.request('initialize', PARAMS, { bare: true, intended: 'fault', ...OLDER })

/** A server of older revisions alone is not at fault for what came later. */
export const NO_OTHER = 'the server opens sessions, and answers nothing without one'

/** Whether the server opens sessions, too; asked for in a conversation of its own, as one over stdio has one era. */
export async function opensSessions(peer: ServerPeer): Promise<boolean> {
  const other = await peer.another('no-handshake')
  return (await initialize(other)).kind === 'result'
}
