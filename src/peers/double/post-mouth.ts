/** How the double answers a POST: as JSON, or, where something has to be said first, by an event stream. */
import type { ServerResponse } from 'node:http'
import type { JsonObject } from '../../wire/json-rpc.ts'
import type { FrameContext, HeaderList } from '../../wire/log.ts'
import { answerText, type Excuse } from './answers.ts'
import type { HttpManners, Responder } from './double.ts'
import type { HttpStream } from './http-stream.ts'
import type { CallMouth } from './stage.ts'

interface PostSurroundings {
  manners: HttpManners
  newStream(context: FrameContext): HttpStream
}

/** The channel of the requests in one POST; a batch of them shares an event stream. */
export function createPostMouth(
  { manners, newStream }: PostSurroundings,
  head: HeaderList,
  expected: number,
  context: FrameContext,
  response: ServerResponse,
  responder: Responder,
): (message: JsonObject) => CallMouth {
  let stream: HttpStream | undefined
  let left = expected
  let answered = false
  const open = (): HttpStream => {
    if (stream !== undefined) return stream
    stream = newStream(context)
    stream.attach(response, context, { headers: head })
    return stream
  }
  const over = async (): Promise<void> => {
    left -= 1
    if (left === 0) await stream?.finish()
  }
  return message => ({
    say: (payload, _json, options) => open().message(String(payload), options),
    raw: bytes => open().raw(bytes),
    stream: open,
    release() {
      if (answered) return
      answered = true
      // Nobody waits any more: an empty event stream is the way to end the exchange without a response.
      if (!response.destroyed) void open().finish()
    },
    async finish(outcome, request) {
      answered = true
      const texts = answerText(outcome, request)
      if (!Array.isArray(texts)) {
        const excuse: Excuse = texts
        responder.head(excuse.status, excuse.headers)
        responder.end(excuse.body)
        return
      }
      if (stream === undefined && expected === 1 && texts.length === 1 && manners.answerBy(message) === 'json') {
        const text = texts[0] as string
        responder.head(200, [...head, ['Content-Type', manners.contentType]])
        responder.end(text)
        return
      }
      for (const text of texts) await open().message(text, {})
      await over()
    },
  })
}
