/** What comes in the body of a POST, and what goes into one or onto a stream: read as the policies say, written as the tamper rewrites it. */
import type { Exchange, HttpAnswers } from '../../peers/server/endpoint.ts'
import { refuse, type Said } from '../../peers/server/outcome.ts'
import { isBodyMessage } from '../../peers/server/response-channel.ts'
import type { Delivery } from '../../peers/server/streams.ts'
import type { Body } from '../../wire/http-server.ts'
import type { Json, JsonObject } from '../../wire/json-rpc.ts'
import type { HeaderList } from '../../wire/log.ts'
import type { Outgoing, Tamper } from '../outgoing.ts'
import type { Policies } from '../policies.ts'

export const JSON_TYPE: HeaderList = [['Content-Type', 'application/json']]

/** The message in a body; what is none is refused here. */
export function readMessage(
  policies: Policies,
  answers: HttpAnswers,
  exchange: Exchange,
  { chunks, whole }: Body,
): Json | undefined {
  if (!whole) {
    answers.refuse(exchange, refuse(413, 'the body is too large'))
    return undefined
  }
  const text = policies.readBody(chunks)
  const message = policies.parse(text)
  if (message === undefined) refuseBody(policies, answers, exchange, policies.onUnparsable(text))
  return message
}

export const refuseBody = (
  policies: Policies,
  answers: HttpAnswers,
  exchange: Exchange,
  answer: JsonObject | undefined,
): void => answers.answer(exchange, policies.malformedStatus, answer === undefined ? [] : JSON_TYPE, textOf(answer))

/** What goes into a body: responses only. */
export const rewrite =
  (tamper: Tamper) =>
  (said: Said, cause: JsonObject | undefined): Said[] =>
    'message' in said && isBodyMessage(said.message)
      ? rewritten(tamper, said.message, cause, 'post').map(message => ({ message }))
      : []

const textOf = (answer: JsonObject | undefined): string => (answer === undefined ? '' : JSON.stringify(answer))

function rewritten(tamper: Tamper, message: Json, cause: JsonObject | undefined, on: 'post' | 'get'): Json[] {
  return tamper({ layer: 'message', message, cause, on }).map(
    out => (out as Extract<Outgoing, { layer: 'message' }>).message,
  )
}

export const deliveryOf =
  (tamper: Tamper): Delivery =>
  (stream, said, cause) =>
    'message' in said &&
    rewritten(tamper, said.message, cause, stream.view.kind)
      .map(message => stream.message(message))
      .at(-1) !== false
