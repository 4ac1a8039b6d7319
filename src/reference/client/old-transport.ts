/**
 * Servers of 2024-11-05 first want a GET, and say where to post in an event of their own (basic/transports#backwards-compatibility).
 * The client finds out that it has met one; it does not speak that transport.
 */
import type { Json } from '../../wire/json-rpc.ts'
import { signal } from '../../wire/wait.ts'
import type { Exchanges } from './exchange.ts'
import type { LinkContext, LinkEvents } from './link.ts'
import { failed, type Reply } from './reply.ts'

/** The request `id` ends with `reply` where no such server is found. */
export function tryOldTransport(
  { policies, clock }: LinkContext,
  { exchange, guarded }: Exchanges,
  events: Pick<LinkEvents, 'lost'>,
  id: Json,
  reply: Reply,
): void {
  const found = signal<string>()
  const parser = policies.events(({ event, data }) => {
    if (event === 'endpoint' && data !== undefined) found.resolve(data)
  })
  exchange({ method: 'GET', lastEventId: undefined, message: undefined }, () => ({
    head: () => {},
    data: chunk => parser.feed(chunk),
    end: () => {},
  }))
  void clock.within(found.promise, policies.fallbackWaitMs).then(endpoint =>
    guarded(() => {
      const why = `the server speaks the old transport, at ${endpoint}; this client does not`
      events.lost(id, endpoint === undefined ? reply : failed('unsupported', why))
    }),
  )
}
