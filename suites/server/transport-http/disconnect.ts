import {
  at,
  type EventStore,
  type HttpReply,
  type Json,
  judge,
  type Pending,
  type ServerPeer,
  serverScenario,
  unmet,
} from '../../../src/suite/server.ts'

const TOOL = 'test_tool_with_progress'

export default serverScenario({
  title: 'A broken connection harms nobody and cancels nothing: the request is finished and its result can be fetched',
  needs: { via: 'http' },
  session: 'fresh',
  claims: {
    survives: 'transport-http.sse.disconnect-any-time',
    finished: 'transport-http.sse.disconnect-not-cancel',
    cursor: 'transport-http.resume.id-is-stream-cursor',
  },
  async *run(peer) {
    for (let count = 0; count < 3; count += 1) {
      await peer.http({ method: 'POST', body: peer.draft('ping'), until: 'head' })
      const dropped = peer.request('ping', undefined, { resume: 'never' })
      await peer.pause(count)
      dropped.disconnect()
      await dropped
    }
    const after = await peer.request('ping')
    yield judge('survives', after.kind === 'result', 'an answer to ping after connections were dropped', after)
    if (after.kind !== 'result') return
    if (!(await offers(peer))) {
      yield unmet(`fixture ${TOOL} not offered`)
      return
    }
    const control = call(peer, 'undisturbed')
    const whole = await control.pending
    if (whole.kind !== 'result' || control.seen.length === 0) {
      yield unmet(`the control, an undisturbed call of ${TOOL}, did not bring progress and a result`)
      return
    }
    const broken = call(peer, 'disturbed')
    await broken.begun
    const lastEventId = broken.lastEventId()
    broken.pending.disconnect()
    const cut = await broken.pending
    if (cut.kind === 'result' || lastEventId === undefined || !(await replays(peer))) {
      for (const claim of ['finished', 'cursor'] as const)
        yield judge(claim, 'n/a', 'a server that replays what was missed on a stream', cut)
    } else {
      // By then the call is over, so that everything has to come from the memory of the server.
      await peer.pause(Math.min(whole.afterMs, peer.timeouts.replyMs))
      const back = await peer.listen({ lastEventId })
      const response = await back.event(event => at(parsed(event.data), 'id') === broken.pending.id)
      const result = at(parsed(response?.data), 'result')
      // Gone may mean cancelled, or finished and not kept for the stream: to replay what was missed is a MAY.
      yield judge(
        'finished',
        result === undefined ? 'bends' : 'holds',
        'the result of the call whose connection was dropped (not cancelled, and kept)',
        back.http,
        'lost',
      )
      back.close()
      const got = { text: `progress ${broken.seen.join(', ')}`, frames: back.frames }
      const twice = new Set(broken.seen).size < broken.seen.length
      // To replay is a MAY: what is missing is less than what comes twice, which no cursor would do.
      const missed = control.seen.some(value => !broken.seen.includes(value))
      if (response !== undefined)
        yield judge(
          'cursor',
          twice ? 'breaks' : missed ? 'bends' : 'holds',
          `progress ${control.seen.join(', ')}`,
          got,
          twice ? 'duplicate' : 'lost',
        )
    }
    await peer.watch()
    const last = await peer.request('ping')
    yield judge('survives', last.kind === 'result', 'an answer to ping after a call was dropped', last)
  },
  defects: [
    {
      named: 'a broken connection cancels the request',
      breaks: 'finished',
      kind: 'lost',
      verdict: 'info',
      replace: { onDisconnect: () => 'cancel' },
    },
    {
      named: 'what is sent into a broken connection stops the server',
      breaks: 'survives',
      kind: 'silent',
      replace: stops,
    },
    {
      named: 'what was received is replayed, too',
      breaks: 'cursor',
      kind: 'duplicate',
      replace: ({ createEventStore }) => ({ store: () => fromTheStart(createEventStore()) }),
    },
    {
      named: 'progress is not replayed',
      breaks: 'cursor',
      kind: 'lost',
      verdict: 'info',
      replace: ({ createEventStore }) => ({ store: () => responsesOnly(createEventStore()) }),
    },
  ],
  variants: [
    { named: 'answers in JSON', replace: { answerBy: () => 'json' } },
    { named: 'no event ids', replace: { eventId: () => undefined } },
    { named: 'nothing is replayed', replace: { store: () => ({ append() {}, after: () => undefined }) } },
    { named: 'no sessions', replace: { sessionIds: () => undefined, missingSession: () => undefined } },
  ],
})

async function offers(peer: ServerPeer): Promise<boolean> {
  if (peer.capabilities.tools === undefined) return false
  const listed = await peer.request('tools/list')
  const tools = listed.kind === 'result' ? at(listed.result, 'tools') : undefined
  return Array.isArray(tools) && tools.some(tool => at(tool, 'name') === TOOL)
}

interface Call {
  pending: Pending
  /** the progress values that came, on whatever stream */
  seen: Json[]
  /** Resolves with the first of them, or with the end of the call. */
  begun: Promise<void>
  lastEventId(): string | undefined
}

function call(peer: ServerPeer, token: string): Call {
  const seen: Json[] = []
  let lastEventId: string | undefined
  let begin = (): void => {}
  const begun = new Promise<void>(resolve => {
    begin = resolve
  })
  peer.on('notifications/progress', (message, frame) => {
    if (at(message, 'params', 'progressToken') !== token) return 'silence'
    seen.push(at(message, 'params', 'progress') ?? null)
    lastEventId = frame.eventId
    begin()
    return 'silence'
  })
  const params = { name: TOOL, arguments: {} }
  const pending = peer.request('tools/call', params, { meta: { progressToken: token }, resume: 'never' })
  void pending.then(begin)
  return { pending, seen, begun, lastEventId: () => lastEventId }
}

/** The control: the answer to a ping can be fetched once more. */
async function replays(peer: ServerPeer): Promise<boolean> {
  const ping = peer.draft('ping')
  const answer = await peer.http({ method: 'POST', body: ping })
  const lastEventId = idBefore(answer, ping.id)
  if (lastEventId === undefined) return false
  const back = await peer.listen({ lastEventId })
  const again = await back.event(event => at(parsed(event.data), 'id') === ping.id, peer.timeouts.watchMs)
  back.close()
  return again !== undefined
}

function idBefore(answer: HttpReply, id: Json | undefined): string | undefined {
  const place = answer.events.findIndex(event => at(parsed(event.data), 'id') === id)
  return answer.events.slice(0, Math.max(0, place)).findLast(event => event.id !== undefined)?.id
}

function parsed(data: string | undefined): Json | undefined {
  try {
    return JSON.parse(data ?? '') as Json
  } catch {
    return undefined
  }
}

function stops() {
  let stopped = false
  return {
    onDisconnect: () => {
      stopped = true
      return 'continue' as const
    },
    drops: () => stopped,
  }
}

/** Stores that forget where the client stood, or what is no response. */
function fromTheStart(store: EventStore): EventStore {
  const first = new Map<string, string>()
  return {
    append(event) {
      if (!first.has(event.stream)) first.set(event.stream, event.id)
      store.append(event)
    },
    after(lastEventId, session) {
      const found = store.after(lastEventId, session)
      return found === undefined ? undefined : store.after(first.get(found.stream) ?? lastEventId, session)
    },
  }
}

function responsesOnly(store: EventStore): EventStore {
  return {
    append: store.append,
    after(lastEventId, session) {
      const found = store.after(lastEventId, session)
      return found && { ...found, events: found.events.filter(event => at(event.message, 'result') !== undefined) }
    },
  }
}
