import {
  at,
  type EventStore,
  type HttpReply,
  judge,
  mediaType,
  request,
  type Stream,
  serverScenario,
} from '../../../src/suite/server.ts'

export default serverScenario({
  title: 'A stream is resumed by the id of its last event: what was missed comes once, and nothing of other streams',
  needs: { via: 'http' },
  session: 'fresh',
  claims: {
    replays: 'transport-http.resume.server-may-replay',
    own: 'transport-http.resume.no-cross-stream-replay',
    stream: 'transport-http.resume.event-id-encodes-stream',
    cursor: 'transport-http.resume.id-is-stream-cursor',
    unique: 'transport-http.resume.event-id-unique',
  },
  async *run(peer) {
    const ask = (id: string) => peer.http({ method: 'POST', body: request(id, 'ping'), until: 'response' })
    const [a, b] = [await ask('stream-a'), await ask('stream-b')]
    const firstA = idBefore(a, 'stream-a')
    const firstB = idBefore(b, 'stream-b')
    const all = [...a.events, ...b.events].flatMap(event => (event.id === undefined ? [] : [event.id]))
    if (mediaType(a.contentType) !== 'text/event-stream' || all.length === 0) {
      for (const claim of ['replays', 'own', 'stream', 'cursor', 'unique'] as const)
        yield judge(claim, 'n/a', 'event ids on streams', a)
      return
    }
    yield judge(
      'unique',
      new Set(all).size === all.length,
      'an event id only once over all streams of the session',
      {
        text: `the ids ${all.join(', ')}`,
        frames: [...a.frames, ...b.frames],
      },
      'duplicate',
    )
    if (firstA === undefined || firstB === undefined) {
      for (const claim of ['replays', 'own', 'stream', 'cursor'] as const)
        yield judge(claim, 'n/a', 'an event id before the response', a)
      return
    }
    const backA = await peer.listen({ lastEventId: firstA })
    const replayed = await backA.event(event => idIn(event.data) === 'stream-a', peer.timeouts.watchMs)
    yield judge('replays', replayed === undefined ? 'bends' : 'holds', 'the missed response', backA.http, 'lost')
    const foreign = backA.events.filter(event => idIn(event.data) === 'stream-b')
    yield judge('own', foreign.length === 0, 'no message of another stream', backA.http, {
      kind: 'leaked',
      subject: 'another stream',
    })
    backA.close()
    if (replayed === undefined) {
      for (const claim of ['stream', 'cursor'] as const)
        yield judge(claim, 'n/a', 'a server that replays what was missed', backA.http)
      return
    }

    const backB = await peer.listen({ lastEventId: firstB })
    const other = await backB.event(event => idIn(event.data) === 'stream-b', peer.timeouts.watchMs)
    const mixed = backB.events.some(event => idIn(event.data) === 'stream-a')
    // Nothing at all may be a loss for another reason than a stream that was not found.
    const continued = mixed ? 'breaks' : other === undefined ? 'bends' : 'holds'
    yield judge('stream', continued, 'each stream continued by its own id', backB.http, mixed ? 'leaked' : 'lost')
    yield judge('own', !mixed, 'no message of another stream', backB.http, {
      kind: 'leaked',
      subject: 'another stream',
    })
    backB.close()

    const repeated = twice(backA)
    const events = repeated === undefined ? 'each event once' : `the event ${repeated} twice`
    const cursor = { text: events, frames: backA.frames }
    yield judge('cursor', repeated === undefined, 'each missed event once', cursor, 'duplicate')
    const lastA = a.events.findLast(event => idIn(event.data) === 'stream-a')?.id
    if (lastA !== undefined) {
      const behind = await peer.listen({ lastEventId: lastA })
      await peer.watch()
      yield judge(
        'cursor',
        behind.events.every(event => idIn(event.data) !== 'stream-a'),
        'nothing that was received already',
        behind.http,
        'duplicate',
      )
      behind.close()
    }
    // Another session must not be able to read this one by its event ids.
    const stranger = await peer.another({})
    if (stranger.sessionId === undefined || stranger.sessionId === peer.sessionId) return
    const spied = await stranger.listen({ lastEventId: firstA })
    const leak = await spied.event(event => idIn(event.data) === 'stream-a', peer.timeouts.watchMs)
    // The sentence speaks of streams, and the id did name its stream: the lesser violation.
    yield judge('own', leak === undefined ? 'holds' : 'bends', 'no message of another session', spied.http, {
      kind: 'leaked',
      subject: 'another session',
    })
    spied.close()
  },
  defects: [
    {
      named: 'nothing is replayed',
      breaks: 'replays',
      kind: 'lost',
      replace: { store: () => ({ append() {}, after: () => undefined }) },
    },
    {
      named: 'all streams of the session are replayed',
      breaks: 'own',
      kind: 'leaked',
      also: ['stream', 'cursor'],
      replace: ({ createEventStore }) => ({ store: () => storeOf('session', createEventStore()) }),
    },
    {
      named: 'the own stream is replayed, and the others behind it',
      breaks: 'own',
      kind: 'leaked',
      also: ['stream'],
      replace: ({ createEventStore }) => ({ store: () => storeOf('others behind', createEventStore()) }),
    },
    {
      named: 'the streams of other sessions are replayed',
      breaks: 'own',
      kind: 'leaked',
      verdict: 'warn',
      replace: ({ createEventStore }) => ({ store: () => storeOf('stream', createEventStore()) }),
    },
    {
      named: 'replay starts at the beginning',
      breaks: 'cursor',
      kind: 'duplicate',
      replace: ({ createEventStore }) => ({ store: () => storeOf('whole stream', createEventStore()) }),
    },
    {
      named: 'each event is replayed twice',
      breaks: 'cursor',
      kind: 'duplicate',
      replace: ({ createEventStore }) => ({ store: () => storeOf('doubled', createEventStore()) }),
    },
    {
      named: 'ids count from 1 on each stream',
      breaks: 'unique',
      kind: 'duplicate',
      also: ['replays', 'own', 'stream', 'cursor'],
      replace: { eventId: (_stream, count) => String(count) },
    },
    {
      named: 'only the latest stream can be resumed',
      breaks: 'stream',
      kind: 'lost',
      verdict: 'info',
      replace: ({ createEventStore }) => ({ store: () => storeOf('first', createEventStore()) }),
    },
  ],
  variants: [
    { named: 'no event ids', replace: { eventId: () => undefined } },
    { named: 'answers in JSON', replace: { answerBy: () => 'json' } },
    { named: 'no priming event', replace: { primes: () => false } },
  ],
})

/** The id of an event before the response, by which the response can be asked for again. */
function idBefore(answer: HttpReply, id: string): string | undefined {
  const place = answer.events.findIndex(event => idIn(event.data) === id)
  return answer.events.slice(0, Math.max(0, place)).findLast(event => event.id !== undefined)?.id
}

const idIn = (data: string | undefined): unknown => {
  try {
    return at(JSON.parse(data ?? ''), 'id')
  } catch {
    return undefined
  }
}

function twice(stream: Stream): string | undefined {
  const ids = stream.events.flatMap(event =>
    event.id === undefined || event.data === undefined || event.data === '' ? [] : [event.id],
  )
  return ids.find((id, index) => ids.indexOf(id) !== index)
}

/** Stores that answer too much, too little, or to the wrong one. */
function storeOf(
  fault: 'session' | 'stream' | 'whole stream' | 'doubled' | 'first' | 'others behind',
  right: EventStore,
) {
  const kept: Parameters<EventStore['append']>[0][] = []
  return {
    append(event: (typeof kept)[number]) {
      kept.push(event)
      right.append(event)
    },
    after(lastEventId: string, session: string): ReturnType<typeof right.after> {
      const event = kept.find(one => one.id === lastEventId)
      if (event === undefined) return undefined
      if (fault === 'stream') return right.after(lastEventId, event.session)
      const found = right.after(lastEventId, session)
      if (found === undefined) return undefined
      if (fault === 'session')
        return { ...found, events: kept.filter(one => one.session === session && one.message !== undefined) }
      if (fault === 'others behind') {
        const others = kept.filter(one => one.session === session && one.stream !== event.stream)
        return { ...found, events: [...found.events, ...others.filter(one => one.message !== undefined)] }
      }
      if (fault === 'whole stream') return { ...found, events: kept.filter(one => one.stream === event.stream) }
      if (fault === 'doubled') return { ...found, events: [...found.events, ...found.events] }
      const first = kept.find(one => one.session === session && at(one.message, 'id') === 'stream-a')
      return event.stream === first?.stream ? found : { ...found, events: [] }
    },
  }
}
