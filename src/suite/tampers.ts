/** Small faults put into what the reference sends, at the layer where they belong. */
import type { Outgoing, Tamper } from '../reference/outgoing.ts'
import { at, isObject, isResponse, type Json, type JsonObject, shapeOf } from '../wire/json-rpc.ts'
import { refusal } from './messages.ts'

/** An HTTP request of a client, before it goes out. */
export interface OutgoingRequest {
  method: string
  url: string
  headers: Record<string, string>
  body: string
  message: Json | undefined
}

type Rewrite<T> = T | T[] | undefined

const listed = <T>(value: Rewrite<T>): T[] => (value === undefined ? [] : Array.isArray(value) ? value : [value])

export const tampers = {
  /** Rewrites each message; undefined drops it, a list sends several. */
  message:
    (
      rewrite: (
        message: JsonObject,
        cause: JsonObject | undefined,
        on: 'stdio' | 'post' | 'get',
      ) => Rewrite<JsonObject>,
    ): Tamper =>
    out =>
      out.layer === 'message' && isObject(out.message)
        ? listed(rewrite(out.message, out.cause, out.on)).map((message): Outgoing => ({ ...out, message }))
        : [out],

  /** The same for whole messages of any JSON type, arrays included. */
  json:
    (rewrite: (message: Json, cause: JsonObject | undefined) => Json): Tamper =>
    out =>
      out.layer === 'message' ? [{ ...out, message: rewrite(out.message, out.cause) }] : [out],

  /** Rewrites the answer (result or error) to requests of one method. */
  answer: (method: string, rewrite: (message: JsonObject, cause: JsonObject) => Rewrite<JsonObject>): Tamper =>
    tampers.message((message, cause) =>
      cause?.method === method && isResponse(shapeOf(message)) ? rewrite(message, cause) : message,
    ),

  /** Rewrites the result of one method. */
  result: (method: string, rewrite: (result: JsonObject) => Json): Tamper =>
    tampers.answer(method, message => {
      const result = at(message, 'result')
      return isObject(result) ? { ...message, result: rewrite(result) } : message
    }),

  /** Answers requests of one method with an error. */
  refuse: (method: string, code: number, message?: string): Tamper => tampers.answer(method, refusal(code, message)),

  /** Rewrites every error object. */
  error: (rewrite: (error: JsonObject) => Json): Tamper =>
    tampers.message(message => {
      const error = at(message, 'error')
      return isObject(error) ? { ...message, error: rewrite(error) } : message
    }),

  /** Rewrites the HTTP answer; for an event stream that is its head only. */
  http:
    (
      rewrite: (
        answer: { status: number; headers: Record<string, string>; body: string },
        request: { method: string; headers: Record<string, string>; message: Json | undefined },
      ) => Partial<{ status: number; headers: Record<string, string>; body: string }> | undefined,
    ): Tamper =>
    out =>
      out.layer === 'http' ? [{ ...out, ...rewrite(out, out.request) }] : [out],

  /** Rewrites the text of an event-stream block. */
  block:
    (rewrite: (raw: string, message: Json | undefined, on: 'post' | 'get') => Rewrite<string>): Tamper =>
    out =>
      out.layer === 'block'
        ? listed(rewrite(out.raw, out.message, out.on)).map((raw): Outgoing => ({ ...out, raw }))
        : [out],

  /** Rewrites the text that goes to stdout. */
  output:
    (rewrite: (text: string, message: Json | undefined) => Rewrite<string>): Tamper =>
    out =>
      out.layer === 'output'
        ? listed(rewrite(out.text, out.message)).map((text): Outgoing => ({ ...out, text }))
        : [out],

  /** Rewrites an HTTP request of a client; undefined drops it, a list sends several. */
  request:
    (rewrite: (request: OutgoingRequest) => Rewrite<Partial<OutgoingRequest>>): Tamper =>
    out =>
      out.layer === 'request' ? listed(rewrite(out)).map((request): Outgoing => ({ ...out, ...request })) : [out],
}
