/** What is remembered of an event stream over all its connections. */
import type { Json } from '../../wire/json-rpc.ts'
import type { StreamEvent } from './event-parser.ts'
import type { EndedStream } from './http-rules.ts'

export interface StreamState extends EndedStream {
  ids: string[]
  /** the id of the request that it answers, and the message that it was in */
  owner: Json | undefined
  message: Json | undefined
}

export const newStream = (kind: StreamState['kind'], owner?: Json, message?: Json): StreamState => ({
  kind,
  owner,
  message,
  ids: [],
  retryMs: undefined,
  fruitless: 0,
  rounds: 0,
})

/** Takes down what an event says about the stream itself. */
export function remember(stream: StreamState, { id, retry }: StreamEvent): void {
  stream.fruitless = 0
  if (id !== undefined) stream.ids.push(id)
  if (retry !== undefined && /^\d+$/.test(retry)) stream.retryMs = Number(retry)
}
