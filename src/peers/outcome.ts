/** What a request has come to, in words that hold for every family: complete, in need of input, refused, or nothing. */
import type { Conversation, InputRequired } from '../dialects/family.ts'
import type { Json } from '../wire/json-rpc.ts'
import type { Reply } from './reply.ts'

export type Outcome = { reply: Reply } & (
  | { kind: 'complete'; result: Json }
  /** the server wants something first; the request is to be sent again with it */
  | { kind: 'input-required'; result: Json; needs: InputRequired }
  | { kind: 'error'; code: number; data?: Json }
  /** no message answered: an HTTP answer without one, an end, or silence */
  | { kind: 'none'; why: 'http-error' | 'timeout' | 'closed' | 'unparsable' }
)

export function outcomeOf(reply: Reply, conversation: Pick<Conversation, 'inputsOf'>): Outcome {
  switch (reply.kind) {
    case 'result': {
      const needs = conversation.inputsOf(reply.result)
      return needs === undefined
        ? { kind: 'complete', result: reply.result, reply }
        : { kind: 'input-required', result: reply.result, needs, reply }
    }
    case 'error':
      return { kind: 'error', code: reply.code, ...(reply.data === undefined ? {} : { data: reply.data }), reply }
    case 'http-error':
      return { kind: 'none', why: 'http-error', reply }
    case 'none':
      return { kind: 'none', why: reply.why, reply }
  }
}
