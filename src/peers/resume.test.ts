import { expect, test } from 'vitest'
import { placeIn } from './resume.ts'

test('the place of a stream is its last id, wherever the last events have none', () => {
  const events = [
    { raw: '', id: 'a' },
    { raw: '', id: '' },
    { raw: '', data: '{}' },
  ]
  expect(placeIn(events, { retryMs: 50 })).toEqual({ lastId: '', retryMs: 50 })
  expect(placeIn([{ raw: '' }], { lastId: 'a', retryMs: 50 })).toEqual({ lastId: 'a', retryMs: 50 })
})

test('a retry counts where it is a number', () => {
  expect(
    placeIn(
      [
        { raw: '', retry: '1500' },
        { raw: '', retry: 'soon' },
      ],
      { retryMs: 50 },
    ),
  ).toEqual({ retryMs: 1500 })
})
