/** Sends requests and notifications as the family wants them, and follows each request to its outcome. */
import { retryParams } from '../dialects/input-required.ts'
import { META } from '../spec/request-metadata.ts'
import { at, idKey, type JsonObject, notification, type RequestId, request, shapeOf } from '../wire/json-rpc.ts'
import type { Frame, MessageFrame } from '../wire/log.ts'
import { within } from '../wire/wait.ts'
import type { Handlers } from './handlers.ts'
import type { Heard } from './heard.ts'
import type { HeaderEdits } from './link.ts'
import { outcomeOf } from './outcome.ts'
import type { HttpReply, Reply } from './reply.ts'
import { type Asking, ask, type Channel } from './request.ts'
import type { Pending, RequestOptions } from './server-peer.ts'
import type { Timeouts } from './target.ts'

/** A server that never has enough is asked this many rounds. */
const MAX_ROUNDS = 10

export interface Requests {
  send(method: string, params?: JsonObject, options?: RequestOptions): Pending
  notify(
    method: string,
    params?: JsonObject,
    options?: { headers?: HeaderEdits },
  ): Promise<{ http?: HttpReply; frames: Frame[] }>
  draft(method: string, params?: JsonObject): JsonObject
}

export interface PeerCore {
  channel: Channel
  heard: Heard
  handlers: Handlers
  timeouts: Timeouts
}

export function createRequests(around: PeerCore): Requests {
  const { link, conversation } = around.channel
  let nextId = 0
  const fresh = (): number => {
    nextId += 1
    return nextId
  }
  const notify: Requests['notify'] = async (method, params, options = {}) => {
    const message = conversation.decorate(notification(method, params))
    const sent = link.send(JSON.stringify(message), options)
    if (sent.over !== undefined && (await within(sent.over, around.timeouts.replyMs)) === undefined) sent.abort()
    return { frames: sent.frames, ...(sent.http === undefined ? {} : { http: sent.http }) }
  }
  const send: Requests['send'] = (method, params, options = {}) => {
    // Counted even where the caller has an id of its own: ours never depend on that.
    const next = fresh()
    const id = options.id ?? next
    const withMeta = options.meta === undefined ? params : { ...params, _meta: options.meta }
    const said = request(id, method, withMeta)
    const message = options.bare === true ? said : conversation.decorate(said)
    const mark = around.channel.log.size
    const asking = ask(around.channel, { message, id, withinMs: options.withinMs ?? around.timeouts.replyMs, options })
    return {
      id,
      // biome-ignore lint/suspicious/noThenProperty: a request under way is awaited for its reply
      then: (fulfilled, rejected) => asking.reply.then(fulfilled, rejected),
      async cancel(reason) {
        const how = conversation.cancel(id, reason)
        if (how.by === 'closing') asking.disconnect()
        else await notify(how.method, how.params)
      },
      disconnect: () => asking.disconnect(),
      notifications: () => notificationsOf(asking, id, around.heard.since(mark)),
      outcome: async () => outcomeOf(await asking.reply, conversation),
      completed: async () => {
        const { id: _id, ...again } = options
        return complete(around, await asking.reply, async answers =>
          send(method, retryParams(params, ...answers), again),
        )
      },
    }
  }
  return { send, notify, draft: (method, params) => conversation.decorate(request(fresh(), method, params)) }
}

/** What belongs to the request: what its own stream brought, or on a shared channel what was said meanwhile. */
function notificationsOf({ sent }: Asking, id: RequestId, meanwhile: readonly MessageFrame[]): MessageFrame[] {
  const own = sent.http === undefined ? meanwhile : sent.frames.filter(isFromThem)
  return own.filter(({ json }) => {
    const subscription = at(json, 'params', '_meta', META.subscription)
    return shapeOf(json) === 'notification' && (subscription === undefined || idKey(subscription) === idKey(id))
  })
}

const isFromThem = (frame: Frame): frame is MessageFrame => frame.kind === 'message' && frame.from === 'them'

/** Answers what the server asks for and asks again, until the request is complete or somebody has no answer. */
async function complete(
  { channel, handlers }: PeerCore,
  first: Reply,
  again: (answers: [responses: JsonObject, state: string | undefined]) => Promise<Reply>,
): Promise<Reply> {
  let reply = first
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const outcome = outcomeOf(reply, channel.conversation)
    const carrier = reply.frames.filter(isFromThem).at(-1)
    if (outcome.kind !== 'input-required' || carrier === undefined) return reply
    const responses = await handlers.answerAll(outcome.needs.requests, carrier)
    if (responses === undefined) return reply
    reply = await again([responses, outcome.needs.state])
  }
  return reply
}
