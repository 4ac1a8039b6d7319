import type { ServerPeer } from '../peers/server-peer.ts'
import { at, type Json, shapeOf } from '../wire/json-rpc.ts'
import type { MessageFrame } from '../wire/log.ts'

/** Notifications that follow a change are waited for as long as so many watches: 5 s by default. */
const WATCHES = 5

/** The first notification of that kind behind frame number `since`; undefined where none came in time. */
export async function awaitNotification(
  peer: ServerPeer,
  since: number,
  method: string,
  fits: (params: Json | undefined) => boolean = () => true,
): Promise<MessageFrame | undefined> {
  for (let watches = 0; ; watches += 1) {
    const found = peer
      .heard(since)
      .find(({ json }) => at(json, 'method') === method && shapeOf(json) === 'notification' && fits(at(json, 'params')))
    if (found !== undefined || watches === WATCHES) return found
    await peer.watch()
  }
}
