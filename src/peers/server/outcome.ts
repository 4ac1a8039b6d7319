/** What becomes of a request, and what of it goes over the wire. */
import type { Json, JsonObject } from '../../wire/json-rpc.ts'
import type { HeaderList } from '../../wire/log.ts'
import type { Answer } from '../correlator.ts'

export type Outcome =
  | Answer
  /** anything in place of a response: several messages, a response with a wrong id, a batch */
  | { messages: Json[] }
  /** the text as it is in place of a response */
  | { text: string }
  /** HTTP: the request is refused below JSON-RPC; over stdio it stays without answer */
  | { http: { status: number; headers?: HeaderList; body?: string } }

/** A refusal by HTTP: the reason is for whoever reads the body. */
export interface Refusal {
  status: number
  reason: string
  headers?: HeaderList
}

export const refuse = (status: number, reason: string, headers?: HeaderList): Refusal => ({
  status,
  reason,
  ...(headers === undefined ? {} : { headers }),
})

/** One thing that is said: a message, or a text that may be none. */
export type Said = { message: Json } | { text: string }

/** What answers the request; undefined where that is said below JSON-RPC. */
export function saidBy(outcome: Exclude<Outcome, 'silence'>, request: JsonObject): Said[] | undefined {
  if ('http' in outcome) return undefined
  if ('text' in outcome) return [{ text: outcome.text }]
  if ('messages' in outcome) return outcome.messages.map(message => ({ message }))
  return [{ message: { jsonrpc: '2.0', id: request.id as Json, ...outcome } }]
}

export const textOf = (said: Said): string => ('text' in said ? said.text : JSON.stringify(said.message))
