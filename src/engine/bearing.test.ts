import { expect, test } from 'vitest'
import { createBearing } from './bearing.ts'

const after = (answers: number[]): number => {
  const bearing = createBearing(2, 8)
  for (const answer of answers) bearing.saw(answer)
  return bearing.limit
}

test('a target that stays quick gets more to do, up to the most', () => {
  expect(after([])).toBe(5)
  expect(after([3, 4])).toBe(7)
  expect(after(Array(20).fill(5))).toBe(8)
})

test('a target whose answers become slow gets less, down to the least', () => {
  expect(after([3, ...Array(20).fill(400)])).toBe(2)
})

test('a slow target is not strained by being as slow as ever', () => {
  expect(after(Array(20).fill(300))).toBe(8)
})
