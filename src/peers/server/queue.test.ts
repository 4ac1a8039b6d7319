import { expect, test } from 'vitest'
import { createQueue } from './queue.ts'

test('work is done at once where nothing is under way, else in its turn', async () => {
  const queue = createQueue()
  const done: number[] = []
  expect(queue(() => done.push(1))).toBe(1)
  const slow = queue(() => new Promise<void>(resolve => setImmediate(() => resolve(void done.push(2)))))
  const next = queue(() => done.push(3))
  expect(done).toEqual([1])
  await Promise.all([slow, next])
  expect(done).toEqual([1, 2, 3])
  await new Promise(setImmediate)
  expect(queue(() => done.push(4))).toBe(4)
})

test('what fails does not keep the rest from its turn', async () => {
  const queue = createQueue()
  const failing = queue(() => Promise.reject(new Error('no')))
  const next = queue(() => 'done')
  await expect(failing).rejects.toThrow('no')
  expect(await next).toBe('done')
})
