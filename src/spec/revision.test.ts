import { describe, expect, test } from 'vitest'
import { factsAbout, hasTransport, mainRevisionIn, REVISIONS, revisionsOf, spans } from './revision.ts'

describe('the table of revisions', () => {
  test('divides them into two families', () => {
    expect(revisionsOf('stateful')).toEqual(REVISIONS.slice(0, 4))
    expect(revisionsOf('stateless')).toEqual(['2026-07-28'])
  })

  test('knows that HTTP meant another transport at first, and since when the version is a header field', () => {
    expect(REVISIONS.filter(revision => !hasTransport(revision, 'http'))).toEqual(['2024-11-05'])
    expect(REVISIONS.filter(revision => hasTransport(revision, 'stdio'))).toEqual(REVISIONS)
    expect(REVISIONS.find(revision => factsAbout(revision).versionHeader)).toBe('2025-06-18')
  })
})

describe('a span', () => {
  test('without ends covers what is judged as a whole', () => {
    expect(REVISIONS.filter(revision => spans({}, revision))).toEqual(REVISIONS.slice(0, 4))
  })

  test('covers a revision that is judged in part where it names it', () => {
    expect(REVISIONS.filter(revision => spans({ since: '2026-07-28' }, revision))).toEqual(['2026-07-28'])
    expect(REVISIONS.filter(revision => spans({ until: '2026-07-28' }, revision))).toEqual(REVISIONS)
    expect(REVISIONS.filter(revision => spans({ since: '2025-11-25' }, revision))).toEqual(['2025-11-25'])
  })

  test('is proven at the main revision, or where that lies outside at its nearest one', () => {
    expect(mainRevisionIn({})).toBe('2025-11-25')
    expect(mainRevisionIn({ until: '2025-03-26' })).toBe('2025-03-26')
    expect(mainRevisionIn({ until: '2026-07-28' })).toBe('2025-11-25')
    expect(mainRevisionIn({ since: '2026-07-28' })).toBe('2026-07-28')
  })
})
