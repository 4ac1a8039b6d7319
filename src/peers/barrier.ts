/**
 * Silence shown without a long wait: a request that every living server answers is sent behind the
 * probe, and when its answer is there, an answer to the probe would be there, too.
 */
import { at, idKey, shapeOf } from '../wire/json-rpc.ts'
import type { MessageFrame } from '../wire/log.ts'
import { sleep, within } from '../wire/wait.ts'
import type { Probe, Reply } from './reply.ts'
import type { PeerCore, Requests } from './requests.ts'
import type { ServerPeer } from './server-peer.ts'

export interface Barrier extends Pick<ServerPeer, 'settle' | 'raw' | 'watch'> {
  /** The request that shows life: the first of the family's, unless the target was found not to answer it. */
  liveness: string
  /** Whether the request that shows life is answered. */
  alive(withinMs?: number): Promise<boolean>
  /** Finds the request by which this target shows life, and uses it from now on; undefined when nothing is answered. */
  findLiveness(withinMs: number): Promise<string | undefined>
}

export function createBarrier({ channel, heard, timeouts }: PeerCore, requests: Requests): Barrier {
  const { link, log, conversation } = channel
  let liveness = conversation.family.barriers[0] ?? ''
  const settle = async (): Promise<Probe> => {
    const mark = log.size
    const reply = link.isGone ? undefined : await requests.send(liveness, undefined, { match: 'exact' })
    const alive = reply !== undefined && showsLife(reply)
    if (alive) await sleep(timeouts.graceMs)
    const own = reply === undefined || !('id' in reply) ? undefined : idKey(reply.id)
    const messages = heard.since(mark).filter(frame => !answersBarrier(frame, own))
    return { messages, alive, frames: reply?.frames ?? [] }
  }
  return {
    get liveness() {
      return liveness
    },
    set liveness(method) {
      liveness = method
    },
    settle,
    async raw(payload, options = {}) {
      const mark = log.size
      const bytes = typeof payload === 'string' || payload instanceof Uint8Array ? payload : JSON.stringify(payload)
      const sent = link.send(bytes, { ...options, intended: 'fault' })
      if (sent.over !== undefined && (await within(sent.over, timeouts.replyMs)) === undefined) sent.abort()
      const after = await settle()
      const own = new Set(after.frames.map(frame => frame.seq))
      return {
        messages: heard.since(mark).filter(frame => !own.has(frame.seq)),
        alive: after.alive,
        frames: [...sent.frames, ...after.frames],
        ...(sent.http === undefined ? {} : { http: sent.http }),
      }
    },
    async watch() {
      const mark = log.size
      await sleep(timeouts.watchMs)
      return heard.since(mark)
    },
    alive: async (withinMs = timeouts.replyMs) =>
      !link.isGone && showsLife(await requests.send(liveness, undefined, { withinMs })),
    async findLiveness(withinMs) {
      for (const method of new Set([liveness, ...conversation.family.barriers])) {
        const reply = await requests.send(method, undefined, { withinMs })
        if (showsLife(reply)) {
          liveness = method
          return method
        }
        if (reply.kind === 'none' && reply.why === 'closed') return undefined
      }
      return undefined
    },
  }
}

/** An answer to the very request; an error without its id may be a refusal of something else. */
export const showsLife = (reply: Reply): boolean =>
  reply.kind === 'result' || (reply.kind === 'error' && reply.id !== undefined && reply.id !== null)

const answersBarrier = (frame: MessageFrame, own: string | undefined): boolean => {
  const shape = shapeOf(frame.json)
  return (shape === 'result' || shape === 'error') && own !== undefined && idKey(at(frame.json, 'id')) === own
}
