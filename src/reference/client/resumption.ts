/** Event streams that have ended: taken up where they broke, or opened again (basic/transports#resumability-and-redelivery). */
import { unknownSession } from './http-answer.ts'
import type { LinkContext, LinkEvents } from './link.ts'
import { failed } from './reply.ts'
import type { StreamState } from './stream-state.ts'

export interface Resumption {
  /** It has ended, or could not be connected at all. */
  ended(stream: StreamState): void
  /** The server does not want to continue it. */
  refused(stream: StreamState, status: number): void
}

export type Connect = (stream: StreamState, method: 'GET' | 'POST', lastEventId: string | undefined) => void

export function createResumption(
  { policies, clock }: Pick<LinkContext, 'policies' | 'clock'>,
  events: Pick<LinkEvents, 'lost' | 'awaits'>,
  isClosed: () => boolean,
  connect: Connect,
): Resumption {
  const lose = ({ owner }: StreamState, why: string): void => {
    if (owner !== undefined && policies.tells('stream')) events.lost(owner, failed('lost', why))
  }
  const takeUp = (stream: StreamState, method: 'GET' | 'POST', lastEventId: string | undefined): void => {
    stream.rounds += 1
    connect(stream, method, lastEventId)
  }
  const resume = (stream: StreamState): void => {
    const { owner } = stream
    const lastEventId = policies.lastEventId(stream.ids)
    if (owner === undefined) return
    if (!events.awaits(owner)) {
      if (policies.resumesAnswered && lastEventId !== undefined && stream.rounds === 0)
        takeUp(stream, 'GET', lastEventId)
      return
    }
    const how = policies.resumes(stream)
    if (lastEventId === undefined || how === 'give up') {
      lose(stream, 'the stream ended before the answer')
      return
    }
    clock.after(policies.resumesAfter(stream), () => {
      if (isClosed() || !events.awaits(owner)) return
      stream.fruitless += 1
      takeUp(stream, how === 'post' ? 'POST' : 'GET', lastEventId)
    })
  }
  const listenAgain = (stream: StreamState): void => {
    const wait = policies.listensAgainAfter(stream)
    if (wait === undefined) return
    clock.after(wait, () => {
      if (!isClosed()) takeUp(stream, 'GET', policies.lastEventId(stream.ids))
    })
  }
  return {
    ended: stream => (stream.kind === 'get' ? listenAgain(stream) : resume(stream)),
    refused(stream, status) {
      if (status !== 404) lose(stream, `the stream could not be taken up: HTTP ${status}`)
      // Some servers have nothing at all behind GET: whether the session is over, the next POST will tell.
      else if (stream.owner !== undefined) events.lost(stream.owner, unknownSession())
    },
  }
}
