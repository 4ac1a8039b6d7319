import { expect, test } from 'vitest'
import { REVISIONS } from '../spec/revision.ts'
import { alternativesTo, familyOf } from './families.ts'

test('each revision has one family', () => {
  expect(REVISIONS.map(revision => familyOf(revision).name)).toEqual([
    'stateful',
    'stateful',
    'stateful',
    'stateful',
    'stateless',
  ])
})

test('the alternative is the newest revision of the other family', () => {
  expect(alternativesTo('2025-06-18')).toEqual(['2026-07-28'])
  expect(alternativesTo('2026-07-28')).toEqual(['2025-11-25'])
})
