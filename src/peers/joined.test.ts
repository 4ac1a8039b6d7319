import { expect, test } from 'vitest'
import { joined } from './joined.ts'

test('getters and setters of the parts go on living in the whole', () => {
  let count = 1
  const part = {
    get count() {
      return count
    },
    set count(value) {
      count = value
    },
  }
  const whole = joined(part, { name: 'x' })
  count = 2
  expect([whole.count, whole.name]).toEqual([2, 'x'])
  whole.count = 3
  expect(part.count).toBe(3)
})
