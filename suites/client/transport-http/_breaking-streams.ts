/** Streams of requests break off, where they can be taken up and where they cannot. */
import { script } from '../../../src/suite/client.ts'

interface Notes {
  /** the last event id before the stream broke that can be taken up, and when it broke */
  broken?: { before: string; id: string; isRead: boolean; at: number; back?: { lastEventId: string; at: number } }
}

const BEGINNING = 'the-beginning'
const ID = 'half-way/1'
const WAIT_MS = 4_000
const DONE = { result: { content: [{ type: 'text', text: 'done' }] } }

const tool = (name: string) => ({ name, description: 'For tests', inputSchema: { type: 'object' as const } })

export const BREAKING = script({
  drive: {
    name: 'broken-streams',
    steps: [
      { request: 'tools/call', params: { name: 'breaks', arguments: {} }, timeoutMs: 2_000 },
      { request: 'tools/call', params: { name: 'resumes', arguments: {} }, timeoutMs: 6_000 },
      { request: 'tools/list' },
    ],
  },
  setup: () => ({ tools: [tool('breaks'), tool('resumes')], capabilities: { tools: {}, logging: {} } }),
  notes: (): Notes => ({}),
  lastsMs: 4_000,
  play(server, notes) {
    server.on('tools/call', async call => {
      const stream = call.stream()
      if (stream === undefined || notes.broken !== undefined) return DONE
      await call.notify('notifications/message', { level: 'info', data: 'It begins' })
      if (call.params.name === 'breaks') {
        // In the middle of an event, and without an id that one could come back with.
        await stream.raw('data: {"jsonrpc":"2.0","id":')
        await server.pause(50)
        stream.cut()
        return 'silence'
      }
      await stream.event({ id: BEGINNING, retry: 100, data: '' })
      await stream.event({ id: ID, data: '' })
      // Whoever answers has read the event in front of the ping, however busy the machine is.
      const read = await call.ask('ping', undefined, { withinMs: 1_500 })
      await stream.raw('id: never-whole\ndata: {"jsonrpc"')
      await server.pause(50)
      notes.broken = { before: BEGINNING, id: ID, isRead: read.kind !== 'none', at: server.now() }
      stream.cut()
      if (await stream.resumed(WAIT_MS)) {
        const [back] = stream.resumptions
        if (back !== undefined) notes.broken.back = back
      }
      return DONE
    })
  },
})
