import { describe, expect, test } from 'vitest'
import { annotationProblem, base64Fit, isTimestamp, isUri, mediaTypeFit } from './content.ts'

describe('base64Fit', () => {
  test.each(['', 'QQ==', 'QUI=', 'QUJD', '+/+/'])('%j is base64', value => {
    expect(base64Fit(value)).toBe('holds')
  })
  test.each(['QQ', 'QUI', 'QUJD\nQUJD'])('%j lacks padding or has line ends', value => {
    expect(base64Fit(value)).toBe('bends')
  })
  test.each(['-_-_', 'data:image/png;base64,QUJD', 'Q', 'QQ===', 'QU JD', 7, null, undefined])('%j is not', value => {
    expect(base64Fit(value)).toBe('breaks')
  })
})

describe('mediaTypeFit', () => {
  test.each(['image/png', 'image/svg+xml', 'IMAGE/x.y-z', 'image/png; q="a\\"b"'])('%j is an image', value => {
    expect(mediaTypeFit(value, 'image')).toBe('holds')
  })
  test('another kind only nearly fits', () => {
    expect(mediaTypeFit('text/plain; charset=utf-8', 'image')).toBe('bends')
    expect(mediaTypeFit('text/plain; charset=utf-8')).toBe('holds')
  })
  test.each(['png', 'image/', '/png', 'image/png/x', 'image png', 'image/png;', undefined])('%j is none', value => {
    expect(mediaTypeFit(value)).toBe('breaks')
  })
})

test.each(['test://x', 'file:///a%20b', 'urn:isbn:1', 'x-own:a', 'https://[::1]/?q#f'])('%j is a URI', value => {
  expect(isUri(value)).toBe(true)
})

test.each(['x', '/a/b', '1a:b', 'a b:c', 'file:///a b', 'test://%zz', 'http://ex\u00e4mple/', '', undefined])(
  '%j is no absolute URI',
  value => {
    expect(isUri(value)).toBe(false)
  },
)

test.each(['2025', '2025-01-12', '2025-01-12T15:00:58Z', '2025-01-12T15:00+02:00', '20250112T150058Z'])(
  '%j is a timestamp',
  value => {
    expect(isTimestamp(value)).toBe(true)
  },
)

test.each(['yesterday', '12/01/2025', '2025-1-12', '1736694058', 1736694058])('%j is no timestamp', value => {
  expect(isTimestamp(value)).toBe(false)
})

describe('annotationProblem', () => {
  test.each([{}, { audience: [] }, { audience: ['user', 'assistant'], priority: 0 }, { priority: 1, 'x-own': 7 }])(
    '%j is in order',
    annotations => {
      expect(annotationProblem(annotations)).toBeUndefined()
    },
  )
  test.each([
    null,
    [],
    { audience: 'user' },
    { audience: ['system'] },
    { priority: 2 },
    { priority: '1' },
    { lastModified: 7 },
  ])('%j is not', annotations => {
    expect(annotationProblem(annotations)?.fit).toBe('breaks')
  })
  test('a time in words only nearly fits', () => {
    expect(annotationProblem({ lastModified: 'yesterday' })?.fit).toBe('bends')
  })
})
