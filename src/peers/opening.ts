/** How the conversation began: what we said, what came back, and what has been agreed. */
import type { Conversation, ServerDescription } from '../dialects/family.ts'
import type { Revision } from '../spec/revision.ts'
import { isObject, type JsonObject, textAt } from '../wire/json-rpc.ts'
import type { Reply } from './reply.ts'

/** What the server said of itself, whatever its family calls that; or what came in place of it. */
export type Introduction =
  | { kind: 'open'; name?: string; version?: string; protocolVersion?: string; capabilities: JsonObject }
  | { kind: 'failed'; reply: Reply }

export interface Opening {
  readonly revision: Revision
  readonly capabilities: JsonObject
  readonly sessionId: string | undefined
  /** The answer to the opening request; undefined where none was sent. */
  readonly opening: Reply | undefined
  readonly opened: ServerDescription | undefined
  readonly introduction: Introduction | undefined
  adopt(reply: Reply): void
}

export function createOpening(conversation: Conversation): Opening {
  let opening: Reply | undefined
  return {
    get revision() {
      return conversation.revision
    },
    get capabilities() {
      return conversation.description?.capabilities ?? {}
    },
    get sessionId() {
      return conversation.sessionId
    },
    get opening() {
      return opening
    },
    get opened() {
      return conversation.description
    },
    get introduction() {
      return opening === undefined ? undefined : introductionOf(opening, conversation.description)
    },
    adopt(reply) {
      opening = reply
      if (reply.kind === 'result') conversation.agree(reply.result, reply.http?.headers)
    },
  }
}

export function introductionOf(reply: Reply, said: ServerDescription | undefined): Introduction {
  if (reply.kind !== 'result' || !isObject(reply.result) || said === undefined) return { kind: 'failed', reply }
  const name = textAt(said.serverInfo, 'name')
  const version = textAt(said.serverInfo, 'version')
  return {
    kind: 'open',
    ...(name === undefined ? {} : { name }),
    ...(version === undefined ? {} : { version }),
    ...(said.protocolVersion === undefined ? {} : { protocolVersion: said.protocolVersion }),
    capabilities: said.capabilities,
  }
}
