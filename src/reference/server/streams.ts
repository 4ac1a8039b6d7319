/** How the reference server writes its event streams: as its policies say, and as a tamper rewrites it. */
import type { StreamBehaviour } from '../../peers/server/event-stream.ts'
import { formatEvent } from '../../wire/sse-writer.ts'
import type { Outgoing, Tamper } from '../outgoing.ts'
import type { Policies } from '../policies.ts'

export const behaviourOf = (policies: Policies, tamper: Tamper): StreamBehaviour => ({
  eventId: (stream, count) => policies.eventId(stream, count),
  priming(stream) {
    if (!policies.primes(stream)) return undefined
    return { data: '', ...(policies.retryMs === undefined ? {} : { retry: policies.retryMs }) }
  },
  format: fields => formatEvent(fields, { name: 'message' }),
  carry: message => ({ data: JSON.stringify(message) }),
  rewrite: (raw, message, on) =>
    tamper({ layer: 'block', raw, message, on }).map(out => (out as Extract<Outgoing, { layer: 'block' }>).raw),
  closesAfter({ kind }, count) {
    const { closesGetAfter } = policies
    return kind === 'get' && closesGetAfter !== undefined && count % closesGetAfter === 0
  },
  leavesOpen: () => !policies.endsAfterResponse,
})
