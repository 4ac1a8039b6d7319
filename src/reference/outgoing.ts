/**
 * What the reference sends, at each layer where a fault can be put: the message, the HTTP answer or
 * request around it, the event-stream block, the bytes on stdout (of a client: on the stdin of its
 * server). A tamper rewrites one outgoing thing into any number of things of the same layer.
 */
import type { Json, JsonObject } from '../wire/json-rpc.ts'

export type Outgoing =
  /** `cause`: the message of the other side that it answers; undefined when it is unsolicited */
  | { layer: 'message'; message: Json; cause: JsonObject | undefined; on: 'stdio' | 'post' | 'get' }
  | { layer: 'http'; request: HttpRequestSeen; status: number; headers: Record<string, string>; body: string }
  /** a request of the client; `message`: the body, as JSON */
  | {
      layer: 'request'
      method: string
      url: string
      headers: Record<string, string>
      body: string
      message: Json | undefined
    }
  | { layer: 'block'; raw: string; message: Json | undefined; on: 'post' | 'get' }
  /** text as it goes to stdout, its newline included */
  | { layer: 'output'; text: string; message: Json | undefined }

export interface HttpRequestSeen {
  method: string
  headers: Record<string, string>
  /** the body, where it was JSON */
  message: Json | undefined
}

export type Tamper = (out: Outgoing) => Outgoing[]

export const untampered: Tamper = out => [out]
