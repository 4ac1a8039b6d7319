/**
 * Where the messages go that belong to one request: a place to speak, until the request is answered. The channels of HTTP
 * are here: one JSON body, or an event stream. That of stdio is its only output (line-channel.ts).
 */
import { isResponse, type Json, type JsonObject, shapeOf } from '../../wire/json-rpc.ts'
import type { HeaderList } from '../../wire/log.ts'
import type { Exchange, HttpAnswers } from './endpoint.ts'
import type { Connection, ServerStream } from './event-stream.ts'
import { type Outcome, type Said, saidBy, textOf } from './outcome.ts'
import type { Delivery } from './streams.ts'

export interface ResponseChannel {
  /** Sends something in front of the response; false where nobody can hear it. */
  say(said: Said, cause: JsonObject | undefined, note?: unknown): boolean | Promise<boolean>
  raw(bytes: string | Uint8Array, note?: unknown): boolean | Promise<boolean>
  /** Sends what became of the request; then the channel is closed. */
  respond(outcome: Exclude<Outcome, 'silence'>, request: JsonObject): Promise<void>
  /** HTTP: the event stream of the answer; opened here, where it is not open yet. */
  stream(): ServerStream | undefined
  /** Closes the connection while the stream goes on, where the client could come back for it. */
  disconnect(): void
  /** Lets go of a request that was never answered. */
  release(): void
}

export interface PostOptions {
  exchange: Exchange
  answers: HttpAnswers
  /** requests in the body that wait for a response */
  expected: number
  contentType: string
  /**
   * `stream`: an event stream, from the start. `json`: one body, and no place for anything else. `either`: a body, unless
   * something has to be said before; `late stream`: a stream, from the first message on.
   */
  mode: 'stream' | 'json' | 'either' | 'late stream'
  openStream(connection: Connection): ServerStream
  deliver: Delivery
  /** The messages in place of a response that goes into a body. */
  rewrite?(said: Said, cause: JsonObject | undefined): Said[]
  /** False: who has gone hears nothing, and nothing is kept for him. */
  hears?(): boolean
}

export const STREAM_TYPE = 'text/event-stream'

export function createPostChannel(options: PostOptions): ResponseChannel {
  const { exchange, answers, mode } = options
  let stream: ServerStream | undefined
  let left = options.expected
  let answered = false
  let lost = false
  let parted = false

  const open = (): ServerStream | undefined => {
    if (stream !== undefined || answered || mode === 'json') return stream
    const connection = answers.open(exchange, 200, [...exchange.own, ['Content-Type', STREAM_TYPE]])
    if (connection === undefined) return undefined
    const opened = options.openStream(connection)
    stream = opened
    connection.onClose(() => {
      lost = !opened.isFinished && !parted
    })
    return stream
  }
  const say = (said: Said, cause: JsonObject | undefined, note?: unknown): boolean | Promise<boolean> => {
    if (lost && options.hears?.() === false) return false
    const to = open()
    return to !== undefined && options.deliver(to, said, cause, note)
  }
  const inBody = (said: readonly Said[]): boolean =>
    mode === 'json' || (mode === 'either' && stream === undefined && options.expected === 1 && said.length === 1)
  if (mode === 'stream') open()
  return {
    say,
    raw: bytes => open()?.raw(bytes) ?? false,
    stream: open,
    disconnect() {
      // Without an event id the client could not come back.
      if (stream?.lastEventId === undefined) return
      parted = true
      void stream.close()
    },
    release() {
      // Nobody waits any more: an empty event stream is the way to end the exchange without a response.
      if (!answered && exchange.response.destroyed === false) void open()?.finish()
      answered = true
    },
    async respond(outcome, request) {
      const said = saidBy(outcome, request)
      if (said === undefined) {
        answered = true
        const { status, headers = [], body = '' } = 'http' in outcome ? outcome.http : { status: 500 }
        answers.answer(exchange, status, headers, body)
        return
      }
      answered = inBody(said)
      if (answered) return sendBody(options, said, request)
      for (const one of said) await say(one, request)
      left -= 1
      if (left === 0) await stream?.finish()
    },
  }
}

function sendBody(options: PostOptions, said: readonly Said[], cause: JsonObject): void {
  const { exchange, answers } = options
  const told = said.flatMap(one => options.rewrite?.(one, cause) ?? [one])
  if (told.length === 0) return
  const headers: HeaderList = [...exchange.own, ['Content-Type', options.contentType]]
  answers.answer(exchange, 200, headers, told.map(textOf).join('\n'))
}

/** A body has room for responses only. */
export const isBodyMessage = (message: Json): boolean => isResponse(shapeOf(message)) || Array.isArray(message)
