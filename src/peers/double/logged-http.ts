/** How the double writes its HTTP answers: each of them is logged before it goes out. */
import type { ServerResponse } from 'node:http'
import { parseJson } from '../../wire/json-rpc.ts'
import type { FrameContext, WireLog } from '../../wire/log.ts'
import { connectionOf } from '../server/connection.ts'
import type { Exchange, HttpAnswers } from '../server/endpoint.ts'
import type { Connection, StreamLog } from '../server/event-stream.ts'
import { textOf } from '../server/outcome.ts'
import type { HttpBehaviour } from './behaviour.ts'
import type { SendOptions } from './call.ts'
import { respond } from './responder.ts'

export interface LoggedAnswers {
  log: WireLog
  http: HttpBehaviour
  contextOf(exchange: Exchange): FrameContext
  /** The request comes to nothing. */
  onRefused(exchange: Exchange): void
}

export function createLoggedAnswers({ log, http, contextOf, onRefused }: LoggedAnswers): HttpAnswers {
  const answer: HttpAnswers['answer'] = (exchange, status, headers, body) => {
    const responder = respond(exchange.response, log, contextOf(exchange))
    responder.head(status, headers)
    responder.end(body)
  }
  return {
    open(exchange, status, headers) {
      const context = contextOf(exchange)
      respond(exchange.response, log, context).head(status, [...headers, ['Cache-Control', 'no-cache']])
      exchange.response.socket?.setNoDelay(true)
      return loggedConnection(exchange.response, http, log, context)
    },
    answer,
    refuse(exchange, { status, reason, headers = [] }) {
      onRefused(exchange)
      answer(
        exchange,
        status,
        [...(reason === '' ? [] : [['Content-Type', 'text/plain'] as [string, string]]), ...headers],
        reason,
      )
    },
  }
}

function loggedConnection(
  response: ServerResponse,
  http: HttpBehaviour,
  log: WireLog,
  context: FrameContext,
): Connection {
  const connection = connectionOf(response, { chunk: () => http.layout.chunk })
  let isOurs = false
  response.once('close', () => {
    if (isOurs || response.writableEnded) return
    log.add({ ...context, kind: 'end', why: 'closed', detail: 'the client closed the stream' })
  })
  return {
    write: bytes => connection.write(bytes),
    flush: () => connection.flush(),
    end: () => connection.end(),
    destroy() {
      isOurs = true
      connection.destroy()
    },
    get isOpen() {
      return connection.isOpen
    },
    onClose: see => connection.onClose(see),
    log: streamLog(log, context),
  }
}

const faultOf = (note: unknown): { intended?: 'fault' } =>
  (note as SendOptions | undefined)?.intended === undefined ? {} : { intended: 'fault' }

const streamLog = (log: WireLog, context: FrameContext): StreamLog => ({
  message(said, note) {
    const text = textOf(said)
    const json = 'message' in said ? said.message : parseJson(text)
    log.add({
      ...context,
      kind: 'message',
      from: 'us',
      text,
      ...(json === undefined ? {} : { json }),
      ...faultOf(note),
    })
  },
  event({ retry, ...fields }, raw, note) {
    log.add({
      ...context,
      ...faultOf(note),
      kind: 'sse',
      from: 'us',
      raw,
      ...fields,
      ...(retry === undefined ? {} : { retry: String(retry) }),
    })
  },
})
