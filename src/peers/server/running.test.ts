import { expect, test } from 'vitest'
import { createRunning } from './running.ts'

test('a running request is cancelled by its id, of its type, and only while it runs', async () => {
  const running = createRunning<string>()
  const request = running.start(1)
  const seen: string[] = []
  request.onCancel(() => seen.push('cancelled'))
  const stop = request.onCancel(() => seen.push('not wanted'))
  stop()
  expect([running.cancel('1', 'other'), request.isCancelled]).toEqual([false, false])
  expect([running.cancel(1, 'by'), request.isCancelled, seen]).toEqual([true, true, ['cancelled']])
  expect(await request.cancelled).toBe('by')
  request.end()
  expect(running.cancel(1, 'late')).toBe(false)
})

test('a request that reuses an id is not ended by the older one', () => {
  const running = createRunning<string>()
  const first = running.start(1)
  const second = running.start(1)
  first.end()
  running.cancel(1, 'by')
  expect([first.isCancelled, second.isCancelled]).toEqual([false, true])
})
