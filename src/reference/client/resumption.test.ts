import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createClock } from './clock.ts'
import { type ClientPolicies, correctClient } from './policies.ts'
import type { Reply } from './reply.ts'
import { createResumption } from './resumption.ts'
import { newStream, remember, type StreamState } from './stream-state.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function setUp(changes: Partial<ClientPolicies> = {}) {
  const awaited = new Set<unknown>([1])
  const lost: Reply[] = []
  const connects: unknown[][] = []
  let isClosed = false
  const clock = createClock(problem => {
    throw problem
  })
  const resumption = createResumption(
    { policies: { ...correctClient(), ...changes }, clock },
    { lost: (_, reply) => lost.push(reply), awaits: id => awaited.has(id) },
    () => isClosed,
    ({ rounds }, method, lastEventId) => connects.push([rounds, method, lastEventId]),
  )
  const close = (): void => {
    isClosed = true
  }
  return { ...resumption, awaited, lost, connects, close }
}

function ofRequest(id?: string, retry?: string): StreamState {
  const stream = newStream('post', 1, { method: 'x' })
  if (id !== undefined) remember(stream, { id, ...(retry === undefined ? {} : { retry }) })
  return stream
}

describe('a stream that ends before the answer', () => {
  test('is taken up by GET with the last id, after the time that the server named', () => {
    const { ended, connects } = setUp()
    ended(ofRequest('a', '300'))
    vi.advanceTimersByTime(299)
    expect(connects).toEqual([])
    vi.advanceTimersByTime(1)
    expect(connects).toEqual([[1, 'GET', 'a']])
  })
  test.each([undefined, ''])('is lost with the last id %j', id => {
    const { ended, connects, lost } = setUp()
    ended(ofRequest(id))
    vi.runAllTimers()
    expect(connects).toEqual([])
    expect(lost).toMatchObject([{ why: 'lost' }])
  })
  test('is not taken up without end when nothing comes of it', () => {
    const { ended, connects, lost } = setUp()
    const stream = ofRequest('a')
    for (let times = 0; times < 12; times += 1) {
      ended(stream)
      vi.runAllTimers()
    }
    expect(connects).toHaveLength(10)
    expect(lost[0]).toMatchObject({ why: 'lost' })
  })
  test('is let go when the answer came meanwhile, or the link was closed', () => {
    const answered = setUp()
    answered.ended(ofRequest('a'))
    answered.awaited.clear()
    const closed = setUp()
    closed.ended(ofRequest('a'))
    closed.close()
    vi.runAllTimers()
    expect([...answered.connects, ...closed.connects]).toEqual([])
  })
})

describe('a stream that brought its answer', () => {
  test('is not taken up', () => {
    const { ended, awaited, connects } = setUp()
    awaited.clear()
    ended(ofRequest('a'))
    vi.runAllTimers()
    expect(connects).toEqual([])
  })
  test('is taken up once by a client that minds only the ids', () => {
    const { ended, awaited, connects } = setUp({ resumesAnswered: true })
    awaited.clear()
    const stream = ofRequest('a')
    ended(stream)
    ended(stream)
    expect(connects).toEqual([[1, 'GET', 'a']])
  })
})

describe('the stream for what the server says by itself', () => {
  test('is opened again, but not in a hurry, and not for ever', () => {
    const { ended, connects } = setUp()
    const stream = newStream('get')
    remember(stream, { retry: '10' })
    ended(stream)
    vi.advanceTimersByTime(999)
    expect(connects).toEqual([])
    for (let times = 0; times < 10; times += 1) {
      vi.runAllTimers()
      ended(stream)
    }
    expect(connects).toHaveLength(5)
  })
})

describe('a server that refuses to continue a stream', () => {
  test('with 404 has forgotten the session', () => {
    const { refused, lost } = setUp()
    refused(ofRequest('a'), 404)
    expect(lost).toMatchObject([{ why: 'expired' }])
  })
  test('with another status has lost the answer', () => {
    const { refused, lost } = setUp()
    refused(ofRequest('a'), 405)
    expect(lost).toMatchObject([{ why: 'lost', message: 'the stream could not be taken up: HTTP 405' }])
  })
  test('breaks nothing where no request waits', () => {
    const { refused, lost } = setUp()
    refused(newStream('get'), 404)
    refused(newStream('get'), 500)
    expect(lost).toEqual([])
  })
})

test('a stream remembers ids in their order, and a retry only if it is a number', () => {
  const stream = newStream('get')
  for (const event of [{ id: 'a', retry: '20' }, { id: '' }, { retry: 'soon' }]) remember(stream, event)
  expect(stream).toMatchObject({ ids: ['a', ''], retryMs: 20 })
})
