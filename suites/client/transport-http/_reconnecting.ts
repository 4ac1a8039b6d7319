/** The scenario `sse-retry` of the official suite, and more of it: the stream of a call is closed, closed again, and cut. */
import { type EventStream, script } from '../../../src/suite/client.ts'

/** A break of the stream, and what came behind it. */
export interface Break {
  how: 'closed' | 'cut'
  /** the last event id, and the time to wait that was told with it */
  id: string
  retryMs: number
  at: number
  /** the client has certainly read that event */
  isRead: boolean
  /** the client came back: with which id, and when */
  back?: { lastEventId: string; at: number }
}

interface Notes {
  breaks: Break[]
}

/** Ids are any text: these characters may all stand in a header field. */
const ROUNDS = [
  { how: 'closed', id: 'r1/~"a;b"=', retryMs: 400 },
  // Longer than what clients wait by themselves.
  { how: 'closed', id: 'R2:c,d', retryMs: 1_400 },
  { how: 'cut', id: 'r3', retryMs: 100 },
] as const
const WAIT_MS = 4_000
const LOOK_MS = 10

const DONE = { result: { content: [{ type: 'text', text: 'The stream was read to its end' }] } }

const TOOL = 'test_reconnection'

async function comesBack(
  stream: EventStream,
  times: number,
  pause: (ms: number) => Promise<void>,
  isOver: () => boolean,
): Promise<Break['back']> {
  for (let waited = 0; waited < WAIT_MS && !isOver() && stream.resumptions.length < times; waited += LOOK_MS)
    await pause(LOOK_MS)
  return stream.resumptions[times - 1]
}

export const RECONNECTING = script({
  drive: { name: 'sse-retry' },
  setup: () => ({
    tools: [{ name: TOOL, description: 'Closes its stream on the way', inputSchema: { type: 'object' } }],
    http: { ids: true },
  }),
  notes: (): Notes => ({ breaks: [] }),
  lastsMs: 3_000,
  play(server, notes) {
    server.on('tools/call', async call => {
      const stream = call.stream()
      // A call that is made again is answered at once: whoever makes it has not come back for the stream.
      if (stream === undefined || notes.breaks.length > 0) return DONE
      for (const { how, id, retryMs } of ROUNDS) {
        await stream.event({ id, retry: retryMs, data: '' })
        // A cut may overtake what was just written; whoever answers a ping behind it has read it.
        server.http.ids = false
        const isRead = how === 'closed' || (await call.ask('ping', undefined, { withinMs: 1_500 })).kind !== 'none'
        server.http.ids = true
        const one: Break = { how, id, retryMs, isRead, at: server.now() }
        notes.breaks.push(one)
        if (how === 'closed') await stream.close()
        else stream.cut()
        const back = await comesBack(
          stream,
          notes.breaks.length,
          ms => server.pause(ms),
          () => server.isOver,
        )
        if (back === undefined) break
        one.back = back
      }
      return DONE
    })
  },
})
