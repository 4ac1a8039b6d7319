import {
  type ClientRun,
  clientScenario,
  type Frame,
  headerValue,
  judge,
  script,
  shookHands,
  undone,
  unmet,
} from '../../../src/suite/client.ts'

const LISTENS_MS = 1_000
const CLOSES_MS = 2_000

interface Notes {
  listened?: boolean
  /** when the streams were looked at, in the second session */
  lookedAt?: number
}

/** The process of the client goes on after its first session: what it leaves open is not closed by its death. */
const REOPENED = script({
  drive: {
    name: 'two-sessions',
    steps: [{ request: 'tools/list' }, { reconnect: true }, { request: 'tools/list' }],
  },
  notes: (): Notes => ({}),
  play(server, notes) {
    server.on('tools/list', async call => {
      const [first] = server.conversations
      if (call.conversation === first) notes.listened ??= await first.listened(LISTENS_MS)
      else if (first !== undefined && notes.lookedAt === undefined) {
        const until = server.now() + CLOSES_MS
        while (first.listening && server.now() < until && !server.isOver) await server.pause(20)
        notes.lookedAt = server.now()
      }
      return { result: { tools: [] } }
    })
  },
})

export default clientScenario({
  title: 'The client closes the streams of a session that it ends',
  needs: { via: 'http' },
  script: REOPENED,
  claims: { closes: 'lifecycle.shutdown.http-close-connections' },
  *run(seen) {
    const { listened, lookedAt } = seen.notes
    if (!shookHands(seen) || listened === undefined) yield unmet(undone(seen, 'list the tools'))
    else if (!listened)
      yield judge('closes', 'n/a', 'only judged where the client has a stream open', {
        text: 'it opens no GET stream',
        frames: [seen.end.frame],
      })
    else if (lookedAt === undefined) yield unmet(undone(seen, 'open a second session'))
    else
      for (const { opened, ended } of streamsOf(seen)) {
        const closed = ended !== undefined && ended.at <= lookedAt
        yield judge(
          'closes',
          closed,
          'the GET stream of the first session closed',
          {
            text: closed ? 'it was closed' : `it was still open ${CLOSES_MS} ms after the next session began`,
            frames: [opened, ...(ended === undefined ? [] : [ended])],
          },
          'missing',
        )
      }
  },
  defects: [{ named: 'leaves its stream open', breaks: 'closes', kind: 'missing', replace: { closesStreams: false } }],
  variants: [{ named: 'opens no stream', replace: { listens: false } }],
})

/** The GET streams that name the first session: one without a session may belong to another one. */
function streamsOf(seen: ClientRun<unknown>): { opened: Frame; ended: Frame | undefined }[] {
  const [first] = seen.conversations
  return seen.requests.flatMap(({ method, headers, frames: [opened] }) => {
    if (method !== 'GET' || opened === undefined || headerValue(headers, 'mcp-session-id') !== first?.sessionId)
      return []
    const of = seen.frames.filter(frame => frame.exchange === opened.exchange)
    if (!of.some(frame => frame.kind === 'http' && frame.status === 200)) return []
    return [{ opened, ended: of.find(frame => frame.kind === 'end') }]
  })
}
