import { expect, test } from 'vitest'
import { judge, type Outcome } from '../suite/judgement.ts'
import { faultsIn, MAX_FAULTS } from './faults.ts'

const of = (outcome: Outcome, subject?: string) =>
  judge('a', outcome, 'x', { text: `${outcome} ${subject}`, frames: [] }, subject === undefined ? {} : { subject })

test('each faulty subject is kept once with its worst judgement, the worst ones first', () => {
  const { faults, more } = faultsIn([
    of('holds', 'a'),
    of('bends', 'b'),
    of('bends', 'c'),
    of('breaks', 'c'),
    of('breaks', 'c'),
    of('n/a'),
  ])
  expect(faults.map(fault => [fault.subject, fault.outcome])).toEqual([
    ['c', 'breaks'],
    ['b', 'bends'],
  ])
  expect(more).toBe(0)
})

test('kept is a limited number of them, the others are counted', () => {
  const { faults, more } = faultsIn(Array.from({ length: MAX_FAULTS + 3 }, (_, index) => of('breaks', `tool-${index}`)))
  expect([faults.length, more]).toEqual([MAX_FAULTS, 3])
})
