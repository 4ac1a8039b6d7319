/** From what a handler returned to what goes over the wire. */
import type { Json, JsonObject } from '../../wire/json-rpc.ts'
import type { HeaderList } from '../../wire/log.ts'
import type { CallAnswer } from './double.ts'

/** A refusal below JSON-RPC. */
export interface Excuse {
  status: number
  headers: HeaderList
  body: string
}

/** The texts of the messages that answer the request, or the refusal. */
export function answerText(answer: Exclude<CallAnswer, 'silence'>, request: JsonObject): string[] | Excuse {
  if ('text' in answer) return [answer.text]
  if ('messages' in answer) return answer.messages.map(message => JSON.stringify(message))
  if ('http' in answer) {
    return { status: answer.http.status, headers: answer.http.headers ?? [], body: answer.http.body ?? '' }
  }
  const id = request.id as Json
  return [JSON.stringify({ jsonrpc: '2.0', id, ...answer })]
}
