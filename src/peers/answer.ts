/** The reply that a request comes to: from the message that answers it, or from what came instead. */
import { at, type Json, type RequestId, shapeOf } from '../wire/json-rpc.ts'
import type { Frame, MessageFrame } from '../wire/log.ts'
import type { HttpReply, Reply } from './reply.ts'

/** The exchange is over and no message answered the request. */
export function withoutAnswer(http: HttpReply, frames: Frame[], afterMs: number): Reply {
  if (http.status === 0) {
    return {
      kind: 'none',
      why: 'closed',
      ...(http.error === undefined ? {} : { detail: http.error }),
      http,
      frames,
      afterMs,
    }
  }
  const spoiled = frames.find(frame => frame.kind === 'message' && frame.from === 'them' && frame.flaw !== undefined)
  if (spoiled !== undefined) return { kind: 'none', why: 'unparsable', http, frames, afterMs }
  return { kind: 'http-error', http, frames, afterMs }
}

/** The reply that a message makes. */
export function readAnswer(
  frame: MessageFrame,
  id: RequestId,
  frames: Frame[],
  afterMs: number,
  sent: { readonly http?: HttpReply } = {},
): Reply {
  const json = pick(frame.json, id)
  const common = { frames, afterMs, id: at(json, 'id'), ...(sent.http === undefined ? {} : { http: sent.http }) }
  if (shapeOf(json) === 'result') return { kind: 'result', result: at(json, 'result') ?? null, ...common }
  const error = at(json, 'error') ?? null
  const code = at(error, 'code')
  const message = at(error, 'message')
  const data = at(error, 'data')
  return {
    kind: 'error',
    code: typeof code === 'number' ? code : Number.NaN,
    message: typeof message === 'string' ? message : '',
    error,
    ...(data === undefined ? {} : { data }),
    ...common,
  }
}

/** The part of a batch that answers the request; a single message is itself. */
function pick(json: Json | undefined, id: RequestId): Json | undefined {
  if (!Array.isArray(json)) return json
  return json.find(part => at(part, 'id') === id) ?? json.find(part => String(at(part, 'id')) === String(id))
}
