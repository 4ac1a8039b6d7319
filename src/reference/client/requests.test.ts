import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { JsonObject } from '../../wire/json-rpc.ts'
import { createClock } from './clock.ts'
import { type ClientPolicies, correctClient } from './policies.ts'
import type { Reply } from './reply.ts'
import { createRequests } from './requests.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function setUp(changes: Partial<ClientPolicies> = {}) {
  const policies = { ...correctClient(), ...changes }
  const sent: JsonObject[] = []
  const clock = createClock(problem => {
    throw problem
  })
  const requests = createRequests({ policies, clock, ids: policies.ids() }, async message => {
    sent.push(message)
  })
  const watch = (reply: Promise<Reply>): Reply[] => {
    const replies: Reply[] = []
    void reply.then(one => replies.push(one))
    return replies
  }
  return { ...requests, sent, watch }
}

const RESULT: Reply = { kind: 'result', result: {} }

test('a reply reaches the request with its id, by value and type, and only once', async () => {
  const { request, settle, awaits } = setUp()
  const reply = request('a', undefined)
  expect([settle('1', RESULT), awaits(1), settle(1, RESULT), settle(1, RESULT)]).toEqual([false, true, true, false])
  expect(await reply).toBe(RESULT)
})

test('a request is given up in time, and the server is told', async () => {
  const { request, sent, watch, awaits } = setUp()
  const replies = watch(request('a', undefined, { timeoutMs: 100 }))
  await vi.advanceTimersByTimeAsync(99)
  expect(replies).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(replies).toMatchObject([{ why: 'timeout' }])
  expect(sent.at(-1)).toMatchObject({ method: 'notifications/cancelled', params: { requestId: 1 } })
  expect(awaits(1)).toBe(false)
})

test('initialize is given up without a cancellation', async () => {
  const { request, sent } = setUp()
  void request('initialize', undefined, { timeoutMs: 100 })
  await vi.advanceTimersByTimeAsync(100)
  expect(sent).toHaveLength(1)
})

test('a user cancels a request', async () => {
  const { request, watch } = setUp()
  const replies = watch(request('a', undefined, { cancelAfterMs: 10 }))
  await vi.advanceTimersByTimeAsync(10)
  expect(replies).toMatchObject([{ why: 'cancelled' }])
})

test('progress moves the limit where the client wants that, but never the last one', async () => {
  const { request, watch, progressed } = setUp({ progressExtends: true, maximumMs: 250, progressToken: () => 't' })
  const replies = watch(request('a', undefined, { timeoutMs: 100, progress: true }))
  for (let times = 0; times < 3; times += 1) {
    await vi.advanceTimersByTimeAsync(80)
    expect(progressed('t')).toBe(true)
  }
  expect(replies).toEqual([])
  await vi.advanceTimersByTimeAsync(10)
  expect(replies).toMatchObject([{ why: 'timeout' }])
  expect(progressed('t')).toBe(false)
})

test('a progress token goes beside the metadata that is there', () => {
  const { request, sent } = setUp({ progressToken: active => active.length })
  void request('a', { _meta: { x: 1 } }, { progress: true })
  void request('b', undefined, { progress: true })
  expect(sent.map(({ params }) => params)).toEqual([
    { _meta: { x: 1, progressToken: 0 } },
    { _meta: { progressToken: 1 } },
  ])
})

test('the client is idle when nothing is waited for, and an end ends all', async () => {
  const { request, endAll, whenIdle, watch } = setUp()
  await whenIdle()
  const replies = [watch(request('a', undefined)), watch(request('b', undefined))]
  const idle = whenIdle()
  endAll(RESULT)
  await idle
  expect(replies).toEqual([[RESULT], [RESULT]])
})
