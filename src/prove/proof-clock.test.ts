import { createServer } from 'node:net'
import { describe, expect, test } from 'vitest'
import { clock, withClock } from '../wire/clock.ts'
import { sleep, within } from '../wire/wait.ts'
import { createProofClock, inItsTime } from './proof-clock.ts'

const LONG_MS = 3_600_000

describe('the clock of a proof', () => {
  test('lets an hour pass at once when nothing is under way', async () => {
    const began = performance.now()
    const passed = await inItsTime(undefined, async () => {
      const from = clock().now()
      await sleep(LONG_MS)
      return clock().now() - from
    })
    expect(passed).toBeGreaterThanOrEqual(LONG_MS)
    expect(performance.now() - began).toBeLessThan(60_000)
  })

  test('stands still while a byte is on its way through a socket, however short the wait', async () => {
    const hops = 200
    const server = createServer(socket => socket.pipe(socket))
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const { connect } = await import('node:net')
    const { port } = server.address() as { port: number }
    const heard = await inItsTime(undefined, () =>
      within(
        new Promise<number>(resolve => {
          let count = 0
          const socket = connect(port, '127.0.0.1', () => socket.write('x'))
          socket.on('data', () => {
            count += 1
            if (count < hops) socket.write('x')
            else {
              socket.destroy()
              resolve(count)
            }
          })
        }),
        1,
      ),
    )
    server.close()
    expect(heard).toBe(hops)
  })

  test('comes to one moment after the other, and what comes of one is done before the next', async () => {
    const seen: string[] = []
    await inItsTime(undefined, async () => {
      clock().after(30, () => seen.push('30'))
      clock().after(10, () => setImmediate(() => setImmediate(() => seen.push('of 10'))))
      const takeBack = clock().after(15, () => seen.push('taken back'))
      clock().after(12, takeBack)
      clock().after(20, () => seen.push('20'))
      await sleep(40)
    })
    expect(seen).toEqual(['of 10', '20', '30'])
  })

  test('shows a later time at each look', () => {
    const { now } = createProofClock()
    expect(now()).toBeLessThan(now())
  })

  test('does nothing any more once it has stopped', async () => {
    const seen: string[] = []
    const own = createProofClock()
    own.after(1, () => seen.push('before'))
    own.stop()
    own.after(1, () => seen.push('behind'))
    await inItsTime(undefined, () => sleep(1_000))
    expect(seen).toEqual([])
  })

  test('is its own: two of them do not share their time', async () => {
    const [one, other] = [createProofClock(), createProofClock()]
    await Promise.all([withClock(one, () => sleep(LONG_MS)), withClock(other, () => sleep(5))])
    expect(one.now()).toBeGreaterThan(LONG_MS)
    expect(other.now()).toBeLessThan(LONG_MS)
  })

  test('leaves a program on the clock on the wall', async () => {
    const began = performance.now()
    await inItsTime({ named: 'a program', breaks: 'x', program: 'x' } as never, () => sleep(50))
    expect(performance.now() - began).toBeGreaterThan(45)
  })
})
