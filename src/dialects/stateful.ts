/**
 * Revisions 2024-11-05 to 2025-11-25: `initialize` opens a session, `notifications/initialized`
 * confirms it (basic/lifecycle#initialization), `ping` shows life, and since 2025-06-18 every HTTP
 * request after the handshake names the negotiated version (basic/transports#protocol-version-header).
 */
import { factsAbout, isRevision } from '../spec/revision.ts'
import { headerValue } from '../wire/http.ts'
import { at, isObject, type Json, textAt } from '../wire/json-rpc.ts'
import type { HeaderList } from '../wire/log.ts'
import { type Conversation, type Family, OUR_CLIENT, type ServerDescription, type Terms } from './family.ts'

export const stateful: Family = {
  name: 'stateful',
  barriers: ['ping', 'tools/list', 'x-conformance/liveness'],
  answersBy: 'responses',
  alwaysAnswered: { ping: {} },
  converse,
}

function converse({ revision, via, hello }: Terms): Conversation {
  let description: ServerDescription | undefined
  let sessionId: string | undefined
  return {
    family: stateful,
    get revision() {
      const agreed = description?.protocolVersion
      return isRevision(agreed) ? agreed : revision
    },
    opening: {
      method: 'initialize',
      params: {
        protocolVersion: hello.protocolVersion ?? revision,
        capabilities: hello.capabilities ?? {},
        clientInfo: hello.clientInfo ?? OUR_CLIENT,
      },
    },
    agree(result, headers = []) {
      description = describe(result)
      sessionId = headerValue(headers, 'mcp-session-id')
    },
    get description() {
      return description
    },
    get sessionId() {
      return sessionId
    },
    confirmation: 'notifications/initialized',
    decorate: message => message,
    headers: () => [
      ...(sessionId === undefined ? [] : ([['MCP-Session-Id', sessionId]] as HeaderList)),
      ...versionHeader(description?.protocolVersion),
    ],
    learn() {},
    cancel: (id, reason) => ({
      by: 'notification',
      method: 'notifications/cancelled',
      params: { requestId: id, ...(reason === undefined ? {} : { reason }) },
    }),
    resume: lastEventId => [['Last-Event-ID', lastEventId]],
    watch: () => (via === 'http' ? { by: 'get', headers: [] } : { by: 'reading' }),
    inputsOf: () => undefined,
    get farewell() {
      return sessionId === undefined ? undefined : 'DELETE'
    },
  }
}

function describe(result: Json): ServerDescription {
  const protocolVersion = textAt(result, 'protocolVersion')
  const capabilities = at(result, 'capabilities')
  const serverInfo = at(result, 'serverInfo')
  const instructions = textAt(result, 'instructions')
  return {
    ...(protocolVersion === undefined ? {} : { protocolVersion }),
    versions: protocolVersion === undefined ? [] : [protocolVersion],
    capabilities: isObject(capabilities) ? capabilities : {},
    ...(serverInfo === undefined ? {} : { serverInfo }),
    ...(instructions === undefined ? {} : { instructions }),
  }
}

/** An unknown version is repeated too: what was agreed is agreed, and the log shows it. */
const versionHeader = (version: string | undefined): HeaderList =>
  version === undefined || (isRevision(version) && !factsAbout(version).versionHeader)
    ? []
    : [['MCP-Protocol-Version', version]]
