import { describe, expect, test } from 'vitest'
import { resultOf } from '../report/sample.ts'
import type { FaultSeen } from './faults.ts'
import { settle } from './settle.ts'

const red = (more: Parameters<typeof resultOf>[0] = {}) => resultOf({ verdict: 'fail', kind: 'wrong-code', ...more })
const further = (subject: string, outcome: FaultSeen['outcome'] = 'breaks'): FaultSeen => ({
  kind: 'wrong-code',
  subject,
  outcome,
  expected: 'x',
  actual: 'y',
  evidence: [9],
  excerpt: [],
})

describe('a red is confirmed', () => {
  test('by the same kind and subject', () => {
    const one = red()
    expect(settle([one], [red()])).toBe(false)
    expect(one).toMatchObject({ verdict: 'fail', confirmed: true })
  })

  test('for the subjects that came again only', () => {
    const one = red({ subject: 'a', further: [further('b'), further('c')], furtherCount: 2 })
    expect(settle([one], [red({ subject: 'c' })])).toBe(false)
    expect(one).toMatchObject({ confirmed: true, subject: 'c', further: [], furtherCount: 0 })
  })
})

describe('a red is not reproducible', () => {
  test.each([
    ['where nothing was seen', []],
    ['where the claim held', [resultOf({})]],
    ['where another kind came', [red({ kind: 'silent', actual: 'no answer' })]],
    ['where another subject was faulty', [red({ subject: 'another' })]],
    ['where the same subject only bends', [red({ subject: 'x', further: [{ ...further(''), outcome: 'bends' }] })]],
  ])('%s', (_name, again) => {
    const one = red()
    expect(settle([one], again)).toBe(true)
    expect(one).toMatchObject({ verdict: 'warn', confirmed: false })
    expect(one.repeat).toBeDefined()
  })
})
