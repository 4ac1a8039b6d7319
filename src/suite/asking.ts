/** For scenarios in which a tool asks the client: by elicitation or by sampling. */
import type { Hello } from '../dialects/family.ts'
import type { Answer } from '../peers/correlator.ts'
import type { Reply } from '../peers/reply.ts'
import type { ServerPeer, Stream } from '../peers/server-peer.ts'
import { argumentsFor } from '../spec/synthesize.ts'
import { at, isObject, type JsonObject } from '../wire/json-rpc.ts'
import type { MessageFrame } from '../wire/log.ts'

/** A client that may be asked everything that elicitation and sampling have: scenarios with this hello share a session. */
export const WILLING: Hello = {
  capabilities: { elicitation: { form: {}, url: {} }, sampling: { tools: {}, context: {} } },
}

/** A request of the target that came while a tool of it ran. */
export interface Asked {
  params: JsonObject
  frame: MessageFrame
}

const streams = new WeakMap<ServerPeer, Stream>()

/**
 * Over HTTP some servers ask on the GET stream, and what they say while there is none is lost. It is opened once a session
 * and stays: a server may take a moment to see that a stream was closed, and refuse or misdirect what comes next.
 */
export async function hearing(peer: ServerPeer): Promise<void> {
  if (peer.via !== 'http' || streams.get(peer)?.isOver === false) return
  streams.set(peer, await peer.listen({ withinMs: peer.timeouts.watchMs }))
}

/** Calls a tool and answers what it asks by `method` meanwhile. */
export async function callAsking(
  peer: ServerPeer,
  call: { name: string; arguments?: JsonObject },
  method: string,
  answer: (asked: Asked, turn: number) => Answer | Promise<Answer>,
): Promise<{ reply: Reply; asked: Asked[] }> {
  const asked: Asked[] = []
  peer.on(method, (message, frame) => {
    const one = { params: isObject(message.params) ? message.params : {}, frame }
    asked.push(one)
    return answer(one, asked.length)
  })
  await hearing(peer)
  // `arguments` may be left out, but SDKs exist that refuse such a call: that is judged elsewhere.
  return { reply: await peer.request('tools/call', { arguments: {}, ...call }), asked }
}

/** A normal result of a tool, without isError. */
export const succeeded = (reply: Reply): boolean => reply.kind === 'result' && at(reply.result, 'isError') !== true

/** What a user may enter into the form that is asked for: the least that it requires. */
export const filled = (params: JsonObject | undefined): JsonObject => argumentsFor(at(params, 'requestedSchema')) ?? {}
