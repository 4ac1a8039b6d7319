import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createClock } from './clock.ts'
import { keepPinging } from './pings.ts'
import { failed, type Reply } from './reply.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function setUp(everyMs: number | undefined, unanswered: 'disconnect' | 'go on', reply: Reply) {
  const seen = { pings: 0, downs: 0, isClosing: false }
  keepPinging({
    policies: { pings: { everyMs, timeoutMs: 10, unanswered } },
    clock: createClock(problem => {
      throw problem
    }),
    request: async () => {
      seen.pings += 1
      return reply
    },
    isClosing: () => seen.isClosing,
    onDown: () => {
      seen.downs += 1
    },
  })
  return seen
}

const LATE = failed('timeout', 'late')

test('without an interval there are no pings', async () => {
  const seen = setUp(undefined, 'disconnect', LATE)
  await vi.advanceTimersByTimeAsync(100_000)
  expect(seen).toMatchObject({ pings: 0, downs: 0 })
})

test('with one they go on until the session is closed', async () => {
  const seen = setUp(100, 'disconnect', { kind: 'result', result: {} })
  await vi.advanceTimersByTimeAsync(350)
  seen.isClosing = true
  await vi.advanceTimersByTimeAsync(1_000)
  expect(seen).toMatchObject({ pings: 3, downs: 0 })
})

test.each([
  ['disconnect', 1],
  ['go on', 0],
] as const)('a ping without answer lets the client %s', async (unanswered, downs) => {
  const seen = setUp(100, unanswered, LATE)
  await vi.advanceTimersByTimeAsync(100)
  expect(seen.downs).toBe(downs)
})
