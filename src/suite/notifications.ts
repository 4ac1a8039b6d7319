import type { ServerPeer } from '../peers/server-peer.ts'
import { at, type Json, shapeOf } from '../wire/json-rpc.ts'
import type { MessageFrame } from '../wire/log.ts'

/** Notifications that follow a change are waited for as long as so many watches: 5 s by default. */
const WATCHES = 5
/** How often it is looked whether one has come: the wait ends when it has. */
const LOOKS_A_WATCH = 20

/** The first notification of that kind behind frame number `since`; undefined where none came in time. */
export async function awaitNotification(
  peer: ServerPeer,
  since: number,
  method: string,
  fits: (params: Json | undefined) => boolean = () => true,
  withinMs = WATCHES * peer.timeouts.watchMs,
): Promise<MessageFrame | undefined> {
  const stepMs = peer.timeouts.watchMs / LOOKS_A_WATCH
  for (let waitedMs = 0; ; waitedMs += stepMs) {
    const found = peer
      .heard(since)
      .find(({ json }) => at(json, 'method') === method && shapeOf(json) === 'notification' && fits(at(json, 'params')))
    if (found !== undefined || waitedMs >= withinMs) return found
    await peer.pause(stepMs)
  }
}
