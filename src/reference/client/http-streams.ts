/** The event streams of one session over HTTP: read, taken up where they broke, opened again. */
import { headerValue, mediaType } from '../../wire/http.ts'
import type { Json } from '../../wire/json-rpc.ts'
import { createSseParser, type SseBlock } from '../../wire/sse.ts'
import type { Exchange } from './exchange.ts'
import type { EndedStream } from './http-rules.ts'
import type { LinkContext, LinkEvents } from './link.ts'
import { failed } from './reply.ts'

export interface Stream {
  feed(chunk: Uint8Array): void
  end(): void
}

export interface Streams {
  /** A POST is answered by a stream; `owner`: the id of the request in it. */
  begin(owner: Json | undefined, message: Json): Stream
  /** Opens the stream for what the server says by itself. */
  listen(): void
  /** Opens the stream of the old transport. */
  listenForEndpoint(found: (endpoint: string) => void): void
}

/** What is remembered of a stream over all its connections. */
interface Story extends EndedStream {
  ids: string[]
  owner: Json | undefined
  message: Json | undefined
}

export function createStreams(
  { policies, clock }: LinkContext,
  events: LinkEvents,
  exchange: Exchange,
  isClosed: () => boolean,
): Streams {
  const hears = (story: Story, block: SseBlock): void => {
    // What is cut off was never sent.
    if (block.flaw !== undefined) return
    story.fruitless = 0
    if (block.id !== undefined) story.ids.push(block.id)
    if (block.retry !== undefined && /^\d+$/.test(block.retry)) story.retryMs = Number(block.retry)
    if (!policies.dispatches(block.event, story.kind)) return
    if (block.data === undefined || block.data === '') policies.onEmptyEvent()
    else events.receive(block.data)
  }
  const read = (story: Story): Stream => {
    const parser = policies.events(block => hears(story, block))
    return {
      feed: chunk => parser.feed(chunk),
      end() {
        parser.end()
        if (story.kind === 'get') listenAgain(story)
        else resume(story)
      },
    }
  }
  const lose = ({ owner }: Story, why: string): void => {
    if (owner !== undefined && policies.tells('stream')) events.lost(owner, failed('lost', why))
  }
  const resume = (story: Story): void => {
    const lastEventId = policies.lastEventId(story.ids)
    if (story.owner === undefined) return
    if (!events.awaits(story.owner)) {
      if (policies.resumesAnswered && lastEventId !== undefined && story.rounds === 0) again(story, lastEventId)
      return
    }
    const how = policies.resumes(story)
    if (lastEventId === undefined || how === 'give up') {
      lose(story, 'the stream ended before the answer')
      return
    }
    clock.after(policies.resumesAfter(story), () => {
      if (isClosed() || story.owner === undefined || !events.awaits(story.owner)) return
      story.rounds += 1
      story.fruitless += 1
      connect(story, how === 'post' ? 'POST' : 'GET', lastEventId)
    })
  }
  const again = (story: Story, lastEventId: string): void => {
    story.rounds += 1
    connect(story, 'GET', lastEventId)
  }
  const listenAgain = (story: Story): void => {
    const wait = policies.listensAgainAfter(story)
    if (wait === undefined) return
    clock.after(wait, () => {
      if (isClosed()) return
      story.rounds += 1
      connect(story, 'GET', policies.lastEventId(story.ids))
    })
  }
  const connect = (story: Story, method: 'GET' | 'POST', lastEventId: string | undefined): void => {
    const message = method === 'POST' ? story.message : undefined
    exchange({ method, lastEventId, message }, () => {
      let stream: Stream | undefined
      let status: number | undefined
      return {
        head(head) {
          status = head.status
          const type = mediaType(headerValue(head.headers, 'content-type'))
          if (status === 200 && type === 'text/event-stream') stream = read(story)
        },
        data: chunk => stream?.feed(chunk),
        end() {
          if (stream !== undefined) stream.end()
          // No connection at all is like one that broke; a refusal is final.
          else if (status === undefined) story.kind === 'get' ? listenAgain(story) : resume(story)
          else if (status === 404) gone(story)
          else lose(story, `the stream could not be taken up: HTTP ${status}`)
        },
      }
    })
  }
  /** Some servers have nothing at all behind GET: whether the session is over, the next POST will tell. */
  const gone = ({ owner }: Story): void => {
    if (owner !== undefined) events.lost(owner, failed('expired', 'the server does not know the session any more'))
  }
  const story = (kind: 'post' | 'get', owner: Json | undefined, message: Json | undefined): Story => ({
    kind,
    owner,
    message,
    ids: [],
    retryMs: undefined,
    fruitless: 0,
    rounds: 0,
  })
  return {
    begin: (owner, message) => read(story('post', owner, message)),
    listen() {
      if (policies.listens) connect(story('get', undefined, undefined), 'GET', undefined)
    },
    listenForEndpoint(found) {
      const parser = createSseParser(block => {
        if (block.event === 'endpoint' && block.data !== undefined) found(block.data)
      })
      exchange({ method: 'GET', lastEventId: undefined, message: undefined }, () => ({
        head: () => {},
        data: chunk => parser.feed(chunk),
        end: () => {},
      }))
    },
  }
}
