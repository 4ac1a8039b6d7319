/** The server without sessions behind one HTTP endpoint (2026-07-28, basic/transports/streamable-http). */
import type { Exchange, HttpAnswers, Methods } from '../../peers/server/endpoint.ts'
import { type Connection, createEventStream, type ServerStream } from '../../peers/server/event-stream.ts'
import { isValidMessage } from '../../peers/server/receive.ts'
import { createPostChannel } from '../../peers/server/response-channel.ts'
import { META, NAMED_BY } from '../../spec/request-metadata.ts'
import { isObject, type JsonObject, shapeOf, textAt } from '../../wire/json-rpc.ts'
import type { Tamper } from '../outgoing.ts'
import type { Policies } from '../policies.ts'
import { deliveryOf, JSON_TYPE, readMessage, refuseBody, rewrite } from '../server/bodies.ts'
import { behaviourOf } from '../server/streams.ts'
import type { Answered } from './answer.ts'
import { answerInTime } from './receive.ts'
import type { Likeness, MirroredHeader, Problem } from './rules.ts'

/** Nothing is served but POST. */
export function statelessMethods(policies: Policies, tamper: Tamper, answers: HttpAnswers): Methods {
  return {
    async POST(exchange) {
      const message = readMessage(policies, answers, exchange, await exchange.body())
      if (message === undefined) return
      exchange.message = message
      const shape = shapeOf(message)
      if (!isObject(message) || !isValidMessage(message, shape) || !['request', 'notification'].includes(shape)) {
        refuseBody(policies, answers, exchange, policies.onInvalid(message))
      } else if (shape === 'notification') {
        const { status, body } = policies.notificationStatus(message)
        answers.answer(exchange, status, body === '' ? [] : JSON_TYPE, body)
      } else {
        const answered = await answerInTime(policies, message, it => differing(policies, exchange, it))
        if (answered !== undefined) await respond({ policies, tamper, answers, exchange }, message, answered)
      }
    },
  }
}

interface Post {
  policies: Policies
  tamper: Tamper
  answers: HttpAnswers
  exchange: Exchange
}

async function respond(post: Post, request: JsonObject, { message, status }: Answered): Promise<void> {
  const { policies, tamper, answers, exchange } = post
  if (status !== 200) {
    const body = rewrite(tamper)({ message }, request).map(said =>
      'message' in said ? JSON.stringify(said.message) : '',
    )
    answers.answer(exchange, status, JSON_TYPE, body.join('\n'))
    return
  }
  const streamed = policies.stateless.answerBy(String(request.method)) === 'sse'
  if (streamed) exchange.own.push(['X-Accel-Buffering', 'no'])
  const channel = createPostChannel({
    exchange,
    answers,
    expected: 1,
    contentType: 'application/json',
    mode: streamed ? 'stream' : 'json',
    openStream: connection => openStream(policies, tamper, connection),
    deliver: deliveryOf(tamper),
    rewrite: rewrite(tamper),
  })
  await channel.respond({ messages: [message] }, request)
}

/** A stream that cannot be resumed: its events have no ids, and it begins with what it has to say. */
function openStream(policies: Policies, tamper: Tamper, connection: Connection): ServerStream {
  const { eventId: _id, priming: _priming, ...behaviour } = behaviourOf(policies, tamper)
  const stream = createEventStream({ id: '', kind: 'post', session: '' }, behaviour)
  stream.attach(connection)
  return stream
}

/** What is wrong with the header fields that repeat parts of the message. */
function differing({ stateless }: Policies, exchange: Exchange, message: JsonObject): Problem | undefined {
  const method = String(message.method)
  const version = textAt(message, 'params', '_meta', META.version)
  const name = Object.hasOwn(NAMED_BY, method) ? textAt(message, 'params', NAMED_BY[method] ?? '') : undefined
  const compared: [MirroredHeader, string | undefined, (value: string | undefined, inMessage: string) => Likeness][] = [
    // A message without a version is a fault of its own.
    ['MCP-Protocol-Version', version, stateless.versionHeader],
    ['Mcp-Method', method, stateless.methodHeader],
    ['Mcp-Name', name, stateless.nameHeader],
  ]
  for (const [header, inMessage, compare] of compared) {
    if (inMessage === undefined) continue
    const found = compare(stateless.header(exchange, header), inMessage)
    if (found !== 'same') return stateless.onHeader(header, found)
  }
  return undefined
}
