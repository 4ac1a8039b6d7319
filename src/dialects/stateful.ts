/**
 * Revisions 2024-11-05 to 2025-11-25: `initialize` opens a session, `notifications/initialized`
 * confirms it (basic/lifecycle#initialization), `ping` shows life, and since 2025-06-18 every HTTP
 * request after the handshake names the negotiated version (basic/transports#protocol-version-header).
 */
import type { Via } from '../spec/catalogue.ts'
import { isRevision, type Revision } from '../spec/revision.ts'
import { at, isObject, textAt } from '../wire/json-rpc.ts'
import type { Dialect } from './dialect.ts'

export const OUR_CLIENT = { name: 'mcp-conformance', version: '0.1.0' }

const HEADER_SINCE: Revision = '2025-06-18'

/** Before, HTTP meant HTTP+SSE: an event stream by GET and messages to another URL. */
const STREAMABLE_HTTP_SINCE: Revision = '2025-03-26'

/** Whether we speak the transport that the revision defines. */
export const hasTransport = (revision: Revision, via: Via): boolean =>
  via === 'stdio' || revision >= STREAMABLE_HTTP_SINCE

export const stateful = (offered: Revision): Dialect => ({
  opening: hello => ({
    method: 'initialize',
    params: {
      protocolVersion: hello.protocolVersion ?? offered,
      capabilities: hello.capabilities ?? {},
      clientInfo: hello.clientInfo ?? OUR_CLIENT,
    },
  }),
  opened(result) {
    const protocolVersion = textAt(result, 'protocolVersion')
    const capabilities = at(result, 'capabilities')
    const serverInfo = at(result, 'serverInfo')
    return {
      ...(protocolVersion === undefined ? {} : { protocolVersion }),
      capabilities: isObject(capabilities) ? capabilities : {},
      ...(serverInfo === undefined ? {} : { serverInfo }),
    }
  },
  confirmation: 'notifications/initialized',
  liveness: 'ping',
  headers(opening) {
    const version = opening?.protocolVersion
    // An unknown version is repeated too: what was agreed is agreed, and the log shows it.
    if (version === undefined || (isRevision(version) && version < HEADER_SINCE)) return []
    return [['MCP-Protocol-Version', version]]
  },
})
