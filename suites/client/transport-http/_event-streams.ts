/** Answers come as event streams, in all the ways in which the format can be written (WHATWG HTML section 9.2). */
import { type Call, type HttpBehaviour, type Reply, type SseLayout, script } from '../../../src/suite/client.ts'
import { ADDED, LISTED } from '../_add-numbers.ts'

/** A ping inside the stream of a request: its answer shows that the client has read it. */
export interface Asked {
  what: 'control' | 'layout' | 'other event' | 'ids' | 'utf8'
  named: string
  reply: Reply
}

interface Notes {
  asked: Asked[]
}

const WAIT_MS = 1_500
/** In UTF-8 these take two, three and four bytes: written bytewise, each of them is cut. */
const NON_ASCII = 'größe-日本-🙂'

interface Way extends Pick<Asked, 'what' | 'named'> {
  layout: SseLayout
  ids?: true
  id?: string
  before?: string
  behind?: string
  /** several at once */
  times?: number
}

const WAYS: Way[] = [
  { what: 'control', named: 'an event of the type "message", with LF', layout: { name: 'message' } },
  { what: 'layout', named: 'data without any other field', layout: {} },
  { what: 'layout', named: 'no blank behind the colon', layout: { name: 'message', tight: true } },
  { what: 'layout', named: 'comments in front', layout: { name: 'message', comments: true } },
  { what: 'layout', named: 'a field that nobody knows in front', layout: {}, before: 'origin: here\n' },
  { what: 'layout', named: 'data over several lines', layout: { name: 'message', multiline: true } },
  { what: 'ids', named: 'an event with an id', layout: { name: 'message' }, ids: true },
  { what: 'ids', named: 'an event without an id behind one that has one', layout: { name: 'message' } },
  { what: 'layout', named: 'three events in one piece', layout: { name: 'message' }, times: 3 },
  {
    what: 'layout',
    named: 'CR LF, and data over several lines',
    layout: { name: 'message', newline: '\r\n', multiline: true, comments: true },
  },
  { what: 'layout', named: 'CR LF, byte by byte', layout: { newline: '\r\n', chunk: 1 } },
  { what: 'utf8', named: 'characters whose bytes come one by one', layout: { chunk: 1 }, id: NON_ASCII },
  {
    what: 'other event',
    named: 'behind an event of another type',
    layout: { name: 'message' },
    before: 'event: heartbeat\ndata: {}\n\n',
  },
  // A reader may keep a CR until it knows that no LF follows: something must.
  { what: 'layout', named: 'CR alone', layout: { newline: '\r' }, behind: ': go on\r\r' },
]

async function askIn(call: Call, http: HttpBehaviour, way: Way): Promise<Reply> {
  const stream = call.stream()
  http.layout = way.layout
  http.ids = way.ids === true
  if (way.before !== undefined) await stream?.raw(way.before)
  const ask = (): Promise<Reply> =>
    call.ask('ping', undefined, { withinMs: WAIT_MS, ...(way.id === undefined ? {} : { id: way.id }) })
  const asked = Array.from({ length: way.times ?? 1 }, ask)
  if (way.behind !== undefined) await stream?.raw(way.behind)
  const replies = await Promise.all(asked)
  http.ids = false
  return replies.find(({ kind }) => kind === 'none') ?? (replies[0] as Reply)
}

export const STREAMING = script({
  drive: { name: 'tools_call' },
  setup: () => ({
    capabilities: { tools: {}, logging: {} },
    http: { answerBy: ({ method }) => (method === 'initialize' ? 'json' : 'sse') },
  }),
  notes: (): Notes => ({ asked: [] }),
  play(server, notes) {
    const plain = server.http.layout
    server.on('tools/list', async call => {
      await call.notify('notifications/message', { level: 'info', data: 'before the response' })
      for (const way of WAYS) {
        const reply = await askIn(call, server.http, way)
        notes.asked.push({ what: way.what, named: way.named, reply })
        // What follows on a stream that is not read any more would tell nothing.
        if (reply.kind === 'none') break
      }
      const [control, ...others] = notes.asked
      // What the client could not read may lie in front of the response: it would be lost, too.
      if (control?.reply.kind !== 'none' && others.some(({ reply }) => reply.kind === 'none')) return { messages: [] }
      const rich: SseLayout = { newline: '\r\n', comments: true, name: 'message', multiline: true, chunk: 9 }
      server.http.layout = control?.reply.kind === 'none' ? plain : rich
      return LISTED
    })
    server.on('tools/call', async call => {
      server.http.layout = {}
      // One byte order mark at the very beginning is no part of the stream.
      await call.stream()?.raw('\uFEFF')
      return ADDED
    })
  },
})
