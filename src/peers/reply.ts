/** What came back: values that scenarios judge, each with the frames it rests on. */

import { short } from '../wire/excerpt.ts'
import { at, type Json } from '../wire/json-rpc.ts'
import type { Frame, HeaderList, MessageFrame } from '../wire/log.ts'
import type { SseBlock } from '../wire/sse.ts'

export interface HttpReply {
  status: number
  headers: HeaderList
  contentType: string
  /** the body as text; empty for an event stream */
  body: string
  json?: Json
  events: SseBlock[]
  /** open: we stopped reading; failed: the connection broke */
  ended: 'complete' | 'failed' | 'open'
  error?: string
  frames: Frame[]
}

export type NoAnswer = 'timeout' | 'closed' | 'unparsable'

export type Reply = { frames: Frame[]; http?: HttpReply; afterMs: number } & (
  | { kind: 'result'; id: Json | undefined; result: Json }
  | { kind: 'error'; id: Json | undefined; code: number; message: string; data?: Json; error: Json }
  /** an HTTP answer without any JSON-RPC message in it */
  | { kind: 'http-error'; http: HttpReply }
  | { kind: 'none'; why: NoAnswer; detail?: string }
)

/** What a probe of ours caused, up to a barrier that the target answered (or did not). */
export interface Probe {
  /** every message the target sent meanwhile, without the answer to the barrier itself */
  messages: MessageFrame[]
  /** the target still answers */
  alive: boolean
  /** the HTTP answer to the probe */
  http?: HttpReply
  frames: Frame[]
}

export type Got = Reply | HttpReply | Probe | Frame | readonly Frame[] | { text: string; frames: readonly Frame[] }

/** The "got" half of a message, in one line. */
export function describe(got: Got): string {
  if (isFrames(got)) return got.length === 0 ? 'nothing' : got.map(describeFrame).join('; ')
  if ('text' in got && 'frames' in got) return got.text
  if ('seq' in got) return describeFrame(got)
  if ('alive' in got) return describeProbe(got)
  if ('status' in got) return describeHttp(got)
  switch (got.kind) {
    case 'result':
      return `a result: ${short(JSON.stringify(got.result))}${at200(got.http)}`
    case 'error':
      return `error ${got.code}: ${short(got.message)}${at200(got.http)}`
    case 'http-error':
      return describeHttp(got.http)
    case 'none':
      return describeNone(got.why, got.detail)
  }
}

export const evidenceOf = (got: Got): readonly Frame[] => (isFrames(got) ? got : 'seq' in got ? [got] : got.frames)

const isFrames = (got: Got): got is readonly Frame[] => Array.isArray(got)

const at200 = (http: HttpReply | undefined): string =>
  http === undefined || http.status === 200 ? '' : ` (with HTTP ${http.status})`

function describeNone(why: NoAnswer, detail?: string): string {
  const more = detail === undefined ? '' : `: ${short(detail)}`
  if (why === 'timeout') return `no answer${more}`
  if (why === 'closed') return `the connection or process ended${more}`
  return `an answer that cannot be read${more}`
}

function describeHttp(http: HttpReply): string {
  if (http.status === 0) return `no HTTP answer (${http.error ?? 'the connection ended'})`
  const body = http.contentType === '' && http.body === '' ? ', no body' : `, ${http.contentType || 'no content type'}`
  return `HTTP ${http.status}${body}${http.body === '' ? '' : `: ${short(http.body)}`}`
}

function describeProbe(probe: Probe): string {
  const answer = probe.http === undefined ? '' : describeHttp(probe.http)
  const heard = probe.messages.length === 0 ? (answer === '' ? 'silence' : '') : describe(probe.messages)
  const life = probe.alive ? '' : 'then no answer to ping'
  return [answer, heard, life].filter(part => part !== '').join('; ')
}

function describeFrame(frame: Frame): string {
  switch (frame.kind) {
    case 'message': {
      const method = at(frame.json, 'method')
      const code = at(frame.json, 'error', 'code')
      if (typeof method === 'string') return `${short(method, 60)}: ${short(frame.text)}`
      if (typeof code === 'number') return `error ${code}: ${short(String(at(frame.json, 'error', 'message')))}`
      return short(frame.text)
    }
    case 'http':
      return frame.start
    case 'body':
      return short(frame.text)
    case 'sse':
      return `event ${short(frame.raw, 80)}`
    case 'silence':
      return `silence while waiting ${Math.round(frame.waitedMs)} ms for ${frame.awaiting}`
    case 'stderr':
      return short(frame.text)
    case 'end':
      return endText(frame)
  }
}

function endText(frame: Extract<Frame, { kind: 'end' }>): string {
  if (frame.why === 'asked') return `we ended it: ${frame.detail}`
  if (frame.why === 'closed') return 'the output was closed'
  if (frame.why === 'failed') return frame.detail ?? 'the connection failed'
  if (frame.signal !== undefined) return `the process was ended by ${frame.signal}`
  return `the process exited with code ${frame.code ?? '?'}`
}
