/** The POSTs of a session, one for each message, and what becomes of them (basic/transports#sending-messages-to-the-server). */
import { headerValue } from '../../wire/http.ts'
import { isObject, isRequestId, type Json, shapeOf } from '../../wire/json-rpc.ts'
import { type Signal, signal } from '../../wire/wait.ts'
import type { Answered, Exchange, Identity } from './exchange.ts'
import { headIn, isGood, meaningOf, NO_HEAD, type PostAnswer, refusalIn, unknownSession } from './http-answer.ts'
import type { Stream, Streams } from './http-streams.ts'
import type { LinkContext, LinkEvents } from './link.ts'
import { failed, type Reply } from './reply.ts'

export interface Posts {
  /** Resolves when the server has taken the message, or never will. */
  post(message: Json): Promise<void>
  /** Resolves when the notifications and answers that are on their way have been taken. */
  delivered(): Promise<unknown>
}

export interface PostContext {
  policies: LinkContext['policies']
  events: LinkEvents
  exchange: Exchange
  /** the endpoint */
  url: string
  identity: Identity
  streams: Pick<Streams, 'begin'>
  /** The server does not take `initialize`: is it one of the old transport? `reply` is what is told if it is not. */
  tryOldTransport(id: Json, reply: Reply): void
}

interface Post {
  message: Json
  /** the id of the request in it */
  owner: Json | undefined
  isInitialize: boolean
  taken: Signal<void>
}

function postOf(message: Json): Post {
  const isRequest = shapeOf(message) === 'request' && isObject(message)
  const owner = isRequest && isRequestId(message.id) ? message.id : undefined
  return { message, owner, isInitialize: isRequest && message.method === 'initialize', taken: signal() }
}

export function createPosts(context: PostContext): Posts {
  const { exchange } = context
  const onTheirWay = new Set<Promise<void>>()

  const send = (message: Json, to: string | undefined, method: 'POST' | 'GET'): Promise<void> => {
    const post = postOf(message)
    const { promise } = post.taken
    const body = method === 'POST' ? message : undefined
    const resend = (location: string, next: 'POST' | 'GET'): void => void send(message, location, next)
    const sent = exchange({ method, lastEventId: undefined, message: body }, () => reading(context, post, resend), to)
    if (sent === 0) post.taken.resolve()
    if (post.owner === undefined) {
      onTheirWay.add(promise)
      void promise.then(() => onTheirWay.delete(promise))
    }
    return promise
  }
  return {
    post: message => send(message, undefined, 'POST'),
    delivered: () => Promise.all(onTheirWay),
  }
}

type Resend = (location: string, method: 'POST' | 'GET') => void

/** Reads one answer: as an event stream where it is one, else as a whole. */
function reading(context: PostContext, post: Post, resend: Resend): Answered {
  const { policies, identity, streams } = context
  const chunks: Uint8Array[] = []
  let head = NO_HEAD
  let stream: Stream | undefined
  return {
    head(given) {
      head = headIn(given)
      if (isGood(head.status)) {
        if (post.isInitialize) identity.sessionId = policies.sessionId(headerValue(given.headers, 'mcp-session-id'))
        if (head.type === 'text/event-stream' && policies.reads(head.type))
          stream = streams.begin(post.owner, post.message)
      }
      post.taken.resolve()
    },
    data(chunk) {
      if (stream === undefined) chunks.push(chunk)
      else stream.feed(chunk)
    },
    end(broken) {
      post.taken.resolve()
      if (stream !== undefined) stream.end()
      else conclude(context, post, { ...head, text: policies.decode(chunks), broken }, resend)
    },
  }
}

function conclude(context: PostContext, { owner, isInitialize }: Post, answer: PostAnswer, resend: Resend): void {
  const { policies, events, url } = context
  const { status, type, location = '', text, broken } = answer
  const meaning = meaningOf(answer)
  if (meaning === 'accepted') return
  if (meaning === 'refused') {
    refused(context, { owner, isInitialize }, answer)
    return
  }
  const method = meaning === 'moved' ? policies.follows(status) : undefined
  if (method !== undefined) {
    resend(new URL(location, url).href, method)
    return
  }
  if (meaning === 'message' && policies.reads(type)) events.receive(text)
  // Where that was the answer, nobody waits for it any more.
  if (owner !== undefined && policies.tells('body'))
    events.lost(owner, failed('lost', broken ?? `HTTP ${status} without an answer`))
}

function refused(
  { policies, events, identity, tryOldTransport }: PostContext,
  { owner, isInitialize }: Pick<Post, 'owner' | 'isInitialize'>,
  { status, text }: PostAnswer,
): void {
  if (status === 404 && identity.sessionId !== undefined) {
    if (owner === undefined) events.expired()
    else events.lost(owner, unknownSession())
    return
  }
  if (owner === undefined) return
  const reply = refusalIn(status, text)
  if (isInitialize && policies.fallsBack(status)) tryOldTransport(owner, reply)
  else if (policies.tells('status')) events.lost(owner, reply)
}
