/** Calls whose answer does not come, in all the ways in which HTTP can say so; the limit of each is far away. */
import { type Call, type CallAnswer, script } from '../../../src/suite/client.ts'

/** The tools, in the order in which they are called. */
export const LOSSES = ['ends_early', 'no_events', 'http_error', 'no_message'] as const
export type Loss = (typeof LOSSES)[number]

/** Far behind the time that one start of a client may take: who waits for it has not noticed. */
const FAR_MS = 60_000

interface Notes {
  /** when each call came, in milliseconds of the log */
  came: Partial<Record<Loss, number>>
}

async function lose(call: Call): Promise<CallAnswer> {
  switch (call.params.name) {
    case 'ends_early': {
      const stream = call.stream()
      await stream?.event({ comment: ' nothing more will come' })
      await stream?.close()
      return 'silence'
    }
    case 'no_events': {
      const stream = call.stream()
      await stream?.raw('this is no event\n\n')
      await stream?.close()
      return 'silence'
    }
    case 'http_error':
      return { http: { status: 500, headers: [['Content-Type', 'text/plain']], body: 'out of order' } }
    default:
      return { http: { status: 200, headers: [['Content-Type', 'application/json']], body: '{"hello":"world"}' } }
  }
}

export const LOST_ANSWERS = script({
  drive: {
    name: 'lost-answers',
    steps: LOSSES.map(name => ({
      request: 'tools/call',
      params: { name, arguments: {} },
      timeoutMs: FAR_MS,
      meanwhile: true as const,
    })),
  },
  setup: () => ({
    tools: LOSSES.map(name => ({ name, description: 'For tests', inputSchema: { type: 'object' } })),
  }),
  notes: (): Notes => ({ came: {} }),
  play(server, notes) {
    server.on('tools/call', call => {
      const name = LOSSES.find(one => one === call.params.name)
      if (name !== undefined) notes.came[name] ??= server.now()
      return lose(call)
    })
  },
})
