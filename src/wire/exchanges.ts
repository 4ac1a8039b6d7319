/** Follows the HTTP exchanges of a log, for monitors: which request a frame belongs to. */

import { headerValue } from './http.ts'
import { at, idKey, type Json, shapeOf } from './json-rpc.ts'
import type { Frame } from './log.ts'

export interface SeenExchange {
  method: string
  /** header fields of the request */
  header(name: string): string | undefined
  /** the message that was posted, where it was JSON */
  message: Json | undefined
  /** key of the id of the request that was posted */
  requestKey: string | undefined
  status: number | undefined
  contentType: string
  /** a GET that names an event: what comes on it may be a replay */
  resumes: boolean
}

export interface Exchanges {
  /** Takes note of the frame and returns its exchange; undefined for frames outside HTTP. */
  follow(frame: Frame): SeenExchange | undefined
}

export function trackExchanges(): Exchanges {
  const known = new Map<number, SeenExchange>()
  return {
    follow(frame) {
      if (frame.exchange === undefined) return undefined
      let seen = known.get(frame.exchange)
      if (frame.kind === 'http' && frame.from === 'us') {
        const { headers } = frame
        seen = {
          method: frame.start.split(' ')[0] ?? '',
          header: name => headerValue(headers, name),
          message: undefined,
          requestKey: undefined,
          status: undefined,
          contentType: '',
          resumes: headerValue(headers, 'last-event-id') !== undefined,
        }
        known.set(frame.exchange, seen)
      }
      if (seen === undefined) return undefined
      if (frame.kind === 'http' && frame.from === 'them') {
        seen.status = frame.status
        seen.contentType = headerValue(frame.headers, 'content-type') ?? ''
      }
      if (frame.kind === 'message' && frame.from === 'us') {
        seen.message = frame.json
        if (shapeOf(frame.json) === 'request') seen.requestKey = idKey(at(frame.json, 'id'))
      }
      return seen
    },
  }
}
