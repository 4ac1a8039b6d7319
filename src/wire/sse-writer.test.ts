import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createSseParser, type SseBlock } from './sse.ts'
import { dataOf, formatEvent, inChunks, type SseLayout } from './sse-writer.ts'

const parsed = (text: string): SseBlock[] => {
  const blocks: SseBlock[] = []
  const parser = createSseParser(block => blocks.push(block))
  parser.feed(Buffer.from(text))
  parser.end()
  return blocks
}

const layouts = fc.record(
  {
    newline: fc.constantFrom('\n' as const, '\r\n' as const, '\r' as const),
    comments: fc.boolean(),
    name: fc.constant('message'),
    multiline: fc.boolean(),
    tight: fc.boolean(),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<SseLayout>

describe('events', () => {
  test('mean the same in every layout', () => {
    fc.assert(
      fc.property(layouts, fc.jsonValue(), fc.option(fc.stringMatching(/^[\w-]{1,8}$/)), (layout, json, id) => {
        const text = dataOf(JSON.stringify(json), layout)
        const [block, ...more] = parsed(formatEvent({ data: text, ...(id === null ? {} : { id }) }, layout))
        expect(more).toEqual([])
        expect(JSON.parse(block?.data ?? '')).toEqual(JSON.parse(JSON.stringify(json)))
        expect([block?.id, block?.flaw]).toEqual([id ?? undefined, undefined])
      }),
    )
  })

  test('can have an id and no data, or a comment alone', () => {
    expect(parsed(formatEvent({ id: '7' }, {}))).toMatchObject([{ id: '7' }])
    expect(parsed(formatEvent({ comment: ' still there' }, {}))).toMatchObject([{ comment: ' still there' }])
    expect(parsed(formatEvent({ data: '', retry: 500 }, {}))).toMatchObject([{ data: '', retry: '500' }])
  })

  test('are the same bytes however they are cut', async () => {
    const bytes = Buffer.from('data: ünïcode 🎈\n\n')
    for (const size of [undefined, 1, 5, 1_000]) {
      const chunks: Uint8Array[] = []
      await inChunks(bytes, size, chunk => chunks.push(chunk))
      expect(Buffer.concat(chunks)).toEqual(bytes)
    }
  })
})
