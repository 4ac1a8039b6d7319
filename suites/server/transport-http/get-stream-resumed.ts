import {
  at,
  type EventStore,
  idKey,
  type Json,
  judge,
  mediaType,
  type ServerPeer,
  type Stream,
  serverScenario,
  shapeOf,
  unmet,
} from '../../../src/suite/server.ts'

/** A longer retry time is not waited for. */
const MAX_RETRY_MS = 5_000

export default serverScenario({
  title: 'A GET stream is continued behind a given event, as the stream of a request is',
  needs: { via: 'http' },
  session: 'fresh',
  hello: { capabilities: { roots: { listChanged: true } } },
  claims: {
    either: 'transport-http.resume.any-origin',
    cursor: 'transport-http.resume.id-is-stream-cursor',
    retry: 'transport-http.get.polling-retry',
    reconnect: 'transport-http.get.polling-reconnect',
  },
  async *run(peer) {
    const answered = new Set<string>()
    peer.on('roots/list', message => {
      // A replayed request has its answer already.
      if (answered.has(idKey(message.id))) return 'silence'
      answered.add(idKey(message.id))
      return { result: { roots: [] } }
    })
    const stream = await peer.listen()
    if (!isStream(stream)) {
      for (const claim of ['either', 'cursor', 'retry', 'reconnect'] as const)
        yield judge(claim, 'n/a', 'a server with GET streams', stream.http)
      return
    }
    // New roots are a reason to ask for them again: the one way to make any server say something of its own.
    for (let count = 0; count < 2 && requestsOn(stream).length < 2; count += 1) await changeRoots(peer)
    yield* judgeClosing(peer, stream)
    stream.close()
    const received = requestsOn(stream)
    const last = received.at(-1)
    if (last === undefined) {
      yield unmet('the server sent nothing on the GET stream')
      return
    }
    const before = idBefore(stream, last.id)
    if (before === undefined) {
      for (const claim of ['either', 'cursor'] as const)
        yield judge(claim, 'n/a', 'event ids on the GET stream', stream.http)
      return
    }
    await changeRoots(peer)
    const back = await peer.listen({ lastEventId: before })
    const again = await back.event(event => parsed(event.data).id === last.id, peer.timeouts.watchMs)
    await peer.settle()
    back.close()
    const posts = await replaysPosts(peer)
    if (again === undefined && posts !== true) {
      for (const claim of ['either', 'cursor'] as const)
        yield judge(claim, 'n/a', 'a server that replays what was missed on a stream', back.http)
      return
    }
    const kinds = [...(again === undefined ? [] : ['GET']), ...(posts === true ? ['POST'] : [])]
    const which = { text: `missed events on resumed streams of ${kinds.join(' and ')}`, frames: back.frames }
    const same = again !== undefined && posts === true
    yield judge(
      'either',
      posts === undefined ? 'n/a' : same,
      'streams of GET resumed like streams of POST',
      which,
      'lost',
    )
    if (again === undefined) return
    const outcome = cursorOutcome(received, back)
    yield judge('cursor', outcome, 'what came later, once', back.http, outcome === 'breaks' ? 'duplicate' : 'lost')
  },
  defects: [
    {
      named: 'only streams of requests are resumed',
      breaks: 'either',
      kind: 'lost',
      replace: ({ createEventStore }) => ({ store: () => storeOf('post', createEventStore()) }),
    },
    {
      named: 'only GET streams are resumed',
      breaks: 'either',
      kind: 'lost',
      replace: ({ createEventStore }) => ({ store: () => storeOf('get', createEventStore()) }),
    },
    {
      named: 'each event is replayed twice',
      breaks: 'cursor',
      kind: 'duplicate',
      replace: ({ createEventStore }) => ({ store: () => storeOf('twice', createEventStore()) }),
    },
    {
      named: 'closes a GET connection without a retry time',
      breaks: 'retry',
      kind: 'missing',
      replace: { retryMs: undefined, closesGetAfter: 3 },
    },
    {
      named: 'does not let a client back on a closed GET stream',
      breaks: 'reconnect',
      kind: 'wrong-status',
      also: ['either'],
      replace: () => ({ closesGetAfter: 3, get: onceOnly() }),
    },
  ],
  variants: [
    {
      named: 'closes the connection of a GET stream and lets the client poll',
      shows: ['retry', 'reconnect'],
      replace: { closesGetAfter: 3 },
    },
    { named: 'ends a GET stream without event ids', replace: { closesGetAfter: 3, eventId: () => undefined } },
    { named: 'no GET stream', replace: { get: () => ({ status: 405, reason: 'no stream' }) } },
    {
      named: 'nothing is replayed',
      replace: ({ createEventStore }) => ({ store: () => storeOf('none', createEventStore()) }),
    },
    { named: 'no priming events', replace: { primes: () => false } },
    { named: 'answers in JSON', replace: { answerBy: () => 'json' } },
  ],
})

const isStream = ({ http }: Stream): boolean =>
  http.status === 200 && mediaType(http.contentType) === 'text/event-stream'

async function changeRoots(peer: ServerPeer): Promise<void> {
  await peer.notify('notifications/roots/list_changed')
  await peer.watch()
}

/** Only where the server closed the stream; without event ids nobody can come back, so the stream itself has ended. */
async function* judgeClosing(peer: ServerPeer, stream: Stream) {
  const { http, lastEventId } = stream
  const retries = http.events.flatMap(event => (/^\d+$/.test(event.retry ?? '') ? [Number(event.retry)] : []))
  const retryMs = retries.at(-1)
  if (!stream.isOver || lastEventId === undefined) {
    for (const claim of ['retry', 'reconnect'] as const)
      yield judge(claim, 'n/a', 'a GET connection that is closed while its stream goes on', http)
    return
  }
  yield judge('retry', retryMs !== undefined, 'a retry field before the connection is closed', http, 'missing')
  if (retryMs === undefined || retryMs > MAX_RETRY_MS) return
  await peer.pause(retryMs)
  const back = await peer.listen({ lastEventId })
  yield judge('reconnect', isStream(back), 'an event stream for the client that comes back', back.http)
  back.close()
}

const parsed = (data: string | undefined): { id: Json | undefined; shape: string } => {
  try {
    const json = JSON.parse(data ?? '') as Json
    return { id: at(json, 'id'), shape: shapeOf(json) }
  } catch {
    return { id: undefined, shape: 'malformed' }
  }
}

const requestsOn = (stream: Stream): { id: Json | undefined }[] =>
  stream.events.map(event => parsed(event.data)).filter(({ shape }) => shape === 'request')

/** The id of an event before the one that carries the request. */
function idBefore({ events }: Pick<Stream, 'events'>, id: Json | undefined): string | undefined {
  const place = events.findIndex(event => parsed(event.data).id === id)
  return events.slice(0, Math.max(0, place)).findLast(event => event.id !== undefined)?.id
}

/** Twice is none of a cursor; to bring what was sent meanwhile, too, is a MAY. */
function cursorOutcome(received: { id: Json | undefined }[], back: Stream): 'holds' | 'bends' | 'breaks' {
  const ids = requestsOn(back).map(({ id }) => id)
  const earlier = received.slice(0, -1).map(({ id }) => id)
  if (new Set(ids).size < ids.length || ids.some(id => earlier.includes(id))) return 'breaks'
  return ids.length > 1 ? 'holds' : 'bends'
}

/** The same for the stream of a request: a ping, answered once more; undefined where no event id allows to ask. */
async function replaysPosts(peer: ServerPeer): Promise<boolean | undefined> {
  // Some stores lose one event or another: one success is enough.
  for (let count = 0; count < 3; count += 1) {
    const ping = peer.draft('ping')
    const answer = await peer.http({ method: 'POST', body: ping })
    const lastEventId = idBefore(answer, ping.id)
    if (lastEventId === undefined) return undefined
    const back = await peer.listen({ lastEventId })
    const again = await back.event(event => parsed(event.data).id === ping.id, peer.timeouts.watchMs)
    back.close()
    if (again !== undefined) return true
  }
  return false
}

function onceOnly(): () => { status: number; reason: string } | undefined {
  let opened = 0
  return () => {
    opened += 1
    return opened > 1 ? { status: 400, reason: 'the stream was opened before' } : undefined
  }
}

/** Stores that know streams of one kind only, or that repeat themselves. */
function storeOf(kind: 'post' | 'get' | 'none' | 'twice', store: EventStore): EventStore {
  const gets = new Set<string>()
  return {
    append(event) {
      if (shapeOf(event.message) === 'request') gets.add(event.stream)
      store.append(event)
    },
    after(lastEventId, session) {
      const found = store.after(lastEventId, session)
      if (found === undefined || kind === 'none') return undefined
      if (kind === 'twice') return { ...found, events: [...found.events, ...found.events] }
      return gets.has(found.stream) === (kind === 'get') ? found : undefined
    },
  }
}
