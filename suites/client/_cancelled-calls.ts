/** The user of the client gives a call up, and would give up another one that is done before that. */
import { response, script } from '../../src/suite/client.ts'

interface Notes {
  /** the call that is given up: was it, and did the response that came too late still reach the client */
  slow?: { cancelled: boolean; delivered: boolean; answeredAt: number }
}

const CANCEL_MS = 300
const LATE_MS = 200
/** Behind the answer of the quick call, more than a second: a cancellation then is no race any more. */
const TOO_LATE_MS = 1_400
const WAIT_MS = 3_000
const DONE = { result: { content: [{ type: 'text', text: 'done' }] } }

const tool = (name: string) => ({ name, description: 'For tests', inputSchema: { type: 'object' as const } })

export const CANCELLING = script({
  drive: {
    name: 'cancelled-calls',
    steps: [
      { request: 'tools/call', params: { name: 'slow', arguments: {} }, cancelAfterMs: CANCEL_MS },
      {
        request: 'tools/call',
        params: { name: 'quick', arguments: {} },
        cancelAfterMs: TOO_LATE_MS,
        meanwhile: true,
      },
      { pause: TOO_LATE_MS + 200 },
      { request: 'tools/list' },
    ],
  },
  setup: () => ({ tools: [tool('slow'), tool('quick')] }),
  notes: (): Notes => ({}),
  lastsMs: 3_000,
  play(server, notes) {
    server.on('tools/call', async call => {
      if (call.params.name !== 'slow' || notes.slow !== undefined) return DONE
      // Over HTTP its channel is open from the beginning: a client can close it.
      call.stream()
      await Promise.race([call.cancelled, server.pause(WAIT_MS)])
      const cancelled = call.isCancelled
      await server.pause(LATE_MS)
      const answeredAt = server.now()
      const delivered = await call.push(response(call.id, DONE.result))
      notes.slow = { cancelled, delivered, answeredAt }
      return { messages: [] }
    })
  },
})
