/** While the client waits for its tools our server says odd things, one after the other, and pings behind each. */
import { type Call, type Json, type JsonObject, notification, type Reply, script } from '../../src/suite/client.ts'
import { LISTED } from './_add-numbers.ts'

export type Oddity = 'unknown token' | 'unknown id' | 'completed id' | 'crossing' | 'malformed'

/** What was said, from when to when, and the answer to the ping behind it. */
export interface Stage {
  oddity: Oddity
  from: number
  to: number
  reply: Reply
}

interface Notes {
  control?: Reply
  stages: Stage[]
  /** the ids of our pings: any of them may be answered */
  ids: Json[]
}

const WAIT_MS = 2_000
const CROSSINGS = 20
/** A ping that was cancelled may have no answer. */
const CROSSING_MS = 400

const cancelled = (params?: JsonObject): JsonObject => notification('notifications/cancelled', params)

const MALFORMED: JsonObject[] = [
  cancelled(),
  cancelled({}),
  cancelled({ requestId: null }),
  cancelled({ requestId: { id: 1 } }),
  cancelled({ requestId: 1.5 }),
  cancelled({ requestId: 'no-such-id', reason: 5 }),
]

export const ODD = script({
  drive: { name: 'initialize' },
  notes: (): Notes => ({ stages: [], ids: [] }),
  play(server, notes) {
    const saying: [
      Oddity,
      (call: Call, ping: (id: string, withinMs?: number) => Promise<Reply>) => Promise<unknown>,
    ][] = [
      [
        'unknown token',
        call => call.notify('notifications/progress', { progressToken: 'no-such-token', progress: 1, total: 2 }),
      ],
      ['unknown id', call => call.push(cancelled({ requestId: 'no-such-id', reason: 'It took too long' }))],
      [
        'completed id',
        async (call, ping) => {
          await ping('completed')
          await call.push(cancelled({ requestId: 'completed' }))
        },
      ],
      [
        'crossing',
        async (call, ping) => {
          const pings: Promise<Reply>[] = []
          for (let count = 1; count <= CROSSINGS; count += 1) {
            pings.push(ping(`crossing-${count}`, CROSSING_MS))
            await call.push(cancelled({ requestId: `crossing-${count}` }))
          }
          await Promise.all(pings)
        },
      ],
      [
        'malformed',
        async call => {
          for (const message of MALFORMED) await call.push(message, { intended: 'fault' })
        },
      ],
    ]
    server.on('tools/list', async call => {
      if (notes.control !== undefined) return LISTED
      const ping = (id: string, withinMs = WAIT_MS): Promise<Reply> => {
        notes.ids.push(id)
        return call.ask('ping', undefined, { id, withinMs })
      }
      notes.control = await ping('control')
      for (const [oddity, say] of saying) {
        const from = server.now()
        await say(call, ping)
        const reply = await ping(`behind: ${oddity}`)
        notes.stages.push({ oddity, from, to: server.now(), reply })
        if (reply.kind === 'none') break
      }
      return LISTED
    })
  },
})
