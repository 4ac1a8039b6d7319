/** Calls that are never answered, or only when nobody waits any more: what becomes of them, and of what comes after them. */
import { at, type ClientRun, type MessageFrame, type Reply, script } from '../../src/suite/client.ts'

/** The limit that the driver is told. */
export const LIMIT_MS = 500
/** A client that waits that long has no such limit. */
export const HELD_MS = 2_500
/** After it gave a call up, the next one is waited for that long. */
const NEXT_MS = 1_200
const PROGRESS_EVERY_MS = 100

export const STEPS = { held: 1, next: 2, endless: 3, last: 4 }

export interface Given {
  cancelled?: MessageFrame
  /** the next call came before the time was over */
  movedOn: boolean
  waitedMs: number
}

export interface Notes {
  held?: Given
  endless?: Given
  /** asked with the next call, when the late answer is on its way */
  ping?: Reply
}

const tool = (name: string) => ({ name, description: 'A tool for testing', inputSchema: { type: 'object' } })
const call = (name: string) => ({ request: 'tools/call', params: { name, arguments: {} } })

export const UNANSWERED = script({
  drive: {
    name: 'unanswered-calls',
    steps: [
      { request: 'tools/list' },
      { ...call('held'), timeoutMs: LIMIT_MS },
      call('next'),
      { ...call('endless'), timeoutMs: LIMIT_MS, progress: true },
      call('last'),
    ],
  },
  setup: () => ({ tools: ['held', 'next', 'endless', 'last'].map(tool) }),
  lastsMs: 2 * HELD_MS,
  notes: (): Notes => ({}),
  play(server, notes) {
    const text = (words: string) => ({ result: { content: [{ type: 'text', text: words }] } })
    const comes = (name: string, withinMs: number) =>
      server.heard(message => message.method === 'tools/call' && at(message, 'params', 'name') === name, withinMs)
    server.on('tools/call', async one => {
      const name = one.params.name
      if (name === 'next') {
        // The late answer to the call before this one is on its way.
        await server.pause(200)
        notes.ping = await one.ask('ping')
      }
      if (name !== 'held' && name !== 'endless') return text('done')
      const began = server.now()
      const after = name === 'held' ? 'next' : 'last'
      const given: Given = { movedOn: false, waitedMs: 0 }
      notes[name] = given
      const token = at(one.params, '_meta', 'progressToken')
      const moved = comes(after, HELD_MS)
      void one.cancelled.then(frame => {
        given.cancelled = frame
      })
      for (let count = 1; server.now() - began < HELD_MS && !server.isOver; count += 1) {
        if (one.isCancelled || (await Promise.race([moved, server.pause(PROGRESS_EVERY_MS)])) !== undefined) break
        if (name === 'endless' && token !== undefined)
          await one.notify('notifications/progress', { progressToken: token, progress: count })
      }
      given.waitedMs = Math.round(server.now() - began)
      given.movedOn = (await comes(after, one.isCancelled ? NEXT_MS : 1)) !== undefined
      return text('too late')
    })
  },
})

/** It cancelled the call, went on without it, or ended as a whole. */
export const gaveUp = (seen: ClientRun<unknown>, given: Given, call: MessageFrame): boolean =>
  given.cancelled !== undefined || given.movedOn || (seen.end.how === 'exited' && seen.end.atMs - call.at < HELD_MS)
