import { describe, expect, test } from 'vitest'
import { createLog, type Frame } from './log.ts'

describe('the wire log', () => {
  test('numbers frames, tells subscribers and hands every frame to the sink', () => {
    const sunk: Frame[] = []
    const seen: number[] = []
    const log = createLog(frame => sunk.push(frame))
    const stop = log.subscribe(frame => seen.push(frame.seq))
    log.add({ channel: 'mcp', session: 's1', kind: 'stderr', text: 'a' })
    stop()
    log.add({ channel: 'mcp', session: 's1', kind: 'stderr', text: 'b' })
    expect([seen, sunk.map(frame => frame.seq), log.size]).toEqual([[1], [1, 2], 2])
  })

  test('forgets old payload beyond its bound, but nothing of the sink', () => {
    let sunk = 0
    const log = createLog(() => {
      sunk += 1
    })
    const text = 'x'.repeat(1024 * 1024)
    for (let i = 0; i < 40; i += 1) log.add({ channel: 'mcp', session: 's1', kind: 'message', from: 'them', text })
    expect(sunk).toBe(40)
    expect(log.get(1)).toBeUndefined()
    expect(log.get(40)?.seq).toBe(40)
  })
})
