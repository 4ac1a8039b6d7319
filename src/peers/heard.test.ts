import { expect, test } from 'vitest'
import type { MessageFrame } from '../wire/log.ts'
import { createHeard } from './heard.ts'

const frame = (seq: number, text = 'x'): MessageFrame => ({
  seq,
  at: 0,
  channel: 'mcp',
  session: 's1',
  kind: 'message',
  from: 'them',
  text,
})

const numbers = (frames: readonly MessageFrame[]): number[] => frames.map(({ seq }) => seq)

test('what was heard can be looked back on from any frame', () => {
  const heard = createHeard()
  for (const seq of [3, 5, 8]) heard.add(frame(seq))
  expect(numbers(heard.since(0))).toEqual([3, 5, 8])
  expect(numbers(heard.since(5))).toEqual([8])
})

test('the oldest go when there are too many, or too much; the newest always stays', () => {
  const few = createHeard(2)
  for (const seq of [1, 2, 3]) few.add(frame(seq))
  expect(numbers(few.since(0))).toEqual([2, 3])
  const little = createHeard(10, 5)
  little.add(frame(1, 'abc'))
  little.add(frame(2, 'abcdefgh'))
  expect(numbers(little.since(0))).toEqual([2])
})
