/** A server behind an MCP endpoint (basic/transports#streamable-http): each message has a POST of its own. */
import { signal } from '../../wire/wait.ts'
import type { Clock } from './clock.ts'
import { createExchanges, type Exchange, type Identity } from './exchange.ts'
import { createPosts } from './http-posts.ts'
import { createStreams } from './http-streams.ts'
import type { Link, LinkContext, LinkEvents } from './link.ts'
import { tryOldTransport } from './old-transport.ts'

/** At the end, what was said last must still arrive. */
const LAST_WORDS_MS = 2_000

export function createHttpLink(
  context: LinkContext,
  url: string,
  events: LinkEvents,
  previousId: string | undefined,
): Link {
  const { policies, tamper, clock } = context
  const identity: Identity = { sessionId: undefined, previousId, version: undefined }
  const exchanges = createExchanges(context, url, identity)
  const { exchange } = exchanges
  const streams = createStreams(context, events, exchanges)
  const posts = createPosts({
    policies,
    events,
    exchange,
    url,
    identity,
    streams,
    tryOldTransport: (id, reply) => tryOldTransport(context, exchanges, events, id, reply),
  })
  return {
    get sessionId() {
      return identity.sessionId
    },
    async send(message, cause) {
      const outs = tamper({ layer: 'message', message, cause, on: 'post' })
      await Promise.all(outs.map(out => (out.layer === 'message' ? posts.post(out.message) : undefined)))
    },
    agreed(version) {
      identity.version = version
    },
    listen: () => streams.listen(),
    async close() {
      await clock.within(posts.delivered(), LAST_WORDS_MS)
      if (policies.deletes(identity.sessionId, identity.version)) await endSession(exchange, clock)
      if (policies.lingersMs > 0) await clock.sleep(policies.lingersMs)
      if (policies.closesStreams) exchanges.close()
    },
    destroy: () => exchanges.close(),
  }
}

async function endSession(exchange: Exchange, clock: Clock): Promise<void> {
  const done = signal<void>()
  const sent = exchange({ method: 'DELETE', lastEventId: undefined, message: undefined }, () => ({
    head: () => done.resolve(),
    data: () => {},
    end: () => done.resolve(),
  }))
  if (sent > 0) await clock.within(done.promise, LAST_WORDS_MS)
}
