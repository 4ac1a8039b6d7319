import { describe, expect, test } from 'vitest'
import type { Requirement } from '../spec/catalogue.ts'
import { verdictOf } from './verdict.ts'

const entry = (
  level: Requirement['level'],
  grade: Requirement['grade'],
  more: Partial<Requirement> = {},
): Requirement => ({
  id: 'a.b',
  area: 'a',
  level,
  role: 'server',
  since: '2024-11-05',
  section: 'x',
  summary: 'x',
  probe: 'wire',
  grade,
  check: 'x',
  ...more,
})

describe('the verdict table', () => {
  test.each([
    ['MUST', 'breaks', ['pass', 'warn', 'fail']],
    ['MUST NOT', 'breaks', ['pass', 'warn', 'fail']],
    ['SHOULD', 'bends', ['pass', 'info', 'warn']],
    ['MAY', 'breaks', ['pass', 'info', 'fail']],
    ['ROBUST', 'bends', ['pass', 'warn', 'warn']],
    ['ROBUST', 'breaks', ['pass', 'warn', 'fail']],
    ['MUST', 'bends', ['pass', 'warn', 'warn']],
    ['SHOULD', 'info', ['pass', 'info', 'info']],
  ] as const)('%s of grade %s', (level, grade, verdicts) => {
    const outcomes = ['holds', 'bends', 'breaks'] as const
    expect(outcomes.map(outcome => verdictOf(entry(level, grade), outcome, 'server'))).toEqual(verdicts)
  })

  test('a cap and the grade of one side limit the verdict', () => {
    expect(verdictOf(entry('MUST', 'breaks', { cap: 'warn' }), 'breaks', 'server')).toBe('warn')
    const lower = entry('MUST', 'breaks', { grades: { server: 'bends' } })
    expect([verdictOf(lower, 'breaks', 'server'), verdictOf(lower, 'breaks', 'client')]).toEqual(['warn', 'fail'])
  })

  test('what does not apply is skipped', () => {
    expect(verdictOf(entry('MUST', 'breaks'), 'n/a', 'server')).toBe('skip')
  })
})
