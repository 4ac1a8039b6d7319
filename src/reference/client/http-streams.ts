/** The event streams of one session over HTTP: read to their end, and what follows the end. */
import { headerValue, mediaType } from '../../wire/http.ts'
import type { Json } from '../../wire/json-rpc.ts'
import type { StreamEvent } from './event-parser.ts'
import type { Answered, Exchanges } from './exchange.ts'
import type { LinkContext, LinkEvents } from './link.ts'
import { type Connect, createResumption } from './resumption.ts'
import { newStream, remember, type StreamState } from './stream-state.ts'

export interface Stream {
  feed(chunk: Uint8Array): void
  end(): void
}

export interface Streams {
  /** A POST is answered by a stream; `owner`: the id of the request in it. */
  begin(owner: Json | undefined, message: Json): Stream
  /** Opens the stream for what the server says by itself. */
  listen(): void
}

export function createStreams(context: LinkContext, events: LinkEvents, exchanges: Exchanges): Streams {
  const { policies } = context
  const take = (stream: StreamState, event: StreamEvent): void => {
    remember(stream, event)
    if (!policies.dispatches(event.event, stream.kind)) return
    if (event.data === undefined || event.data === '') policies.onEmptyEvent()
    else events.receive(event.data)
  }
  const read = (stream: StreamState): Stream => {
    const parser = policies.events(event => take(stream, event))
    return {
      feed: chunk => parser.feed(chunk),
      end() {
        parser.end()
        resumption.ended(stream)
      },
    }
  }
  const connect: Connect = (stream, method, lastEventId) => {
    const message = method === 'POST' ? stream.message : undefined
    exchanges.exchange({ method, lastEventId, message }, () => continued(stream))
  }
  const continued = (stream: StreamState): Answered => {
    let reading: Stream | undefined
    let status: number | undefined
    return {
      head(head) {
        status = head.status
        const type = mediaType(headerValue(head.headers, 'content-type'))
        if (status === 200 && type === 'text/event-stream') reading = read(stream)
      },
      data: chunk => reading?.feed(chunk),
      end() {
        if (reading !== undefined) reading.end()
        // No connection at all is like one that broke; a refusal is final.
        else if (status === undefined) resumption.ended(stream)
        else resumption.refused(stream, status)
      },
    }
  }
  const resumption = createResumption(context, events, () => exchanges.isClosed, connect)
  return {
    begin: (owner, message) => read(newStream('post', owner, message)),
    listen() {
      if (policies.listens) connect(newStream('get'), 'GET', undefined)
    },
  }
}
