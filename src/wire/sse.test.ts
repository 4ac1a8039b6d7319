import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createSseParser, type SseBlock } from './sse.ts'

function parse(...chunks: (string | Uint8Array)[]): Omit<SseBlock, 'raw'>[] {
  const blocks: SseBlock[] = []
  const parser = createSseParser(block => blocks.push(block))
  for (const chunk of chunks) parser.feed(typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk)
  parser.end()
  return blocks.map(({ raw: _raw, ...block }) => block)
}

describe('the event-stream parser', () => {
  test('reads the fields of a block', () => {
    expect(parse('id: 7\nevent: message\nretry: 100\ndata: a\ndata: b\n\n')).toEqual([
      { id: '7', event: 'message', retry: '100', data: 'a\nb' },
    ])
  })

  test('keeps an id without data, which browsers do not dispatch', () => {
    expect(parse('id: 1\n\n', 'id: 2\ndata:\n\n')).toEqual([{ id: '1' }, { id: '2', data: '' }])
  })

  test('reads LF, CR LF and CR alike, also cut between CR and LF', () => {
    for (const end of ['\n', '\r\n', '\r']) {
      const text = `data: a${end}${end}data: b${end}${end}`
      for (let place = 0; place <= text.length; place += 1) {
        expect(parse(text.slice(0, place), text.slice(place))).toEqual([{ data: 'a' }, { data: 'b' }])
      }
    }
  })

  test('gives the same blocks however the bytes are cut', () => {
    const line = fc.constantFrom(
      'data: ä',
      'data',
      'data:😀',
      'id: 1',
      'id',
      ': note',
      'event: x',
      'retry: 5',
      'other: y',
      '',
    )
    const end = fc.constantFrom('\n', '\r\n', '\r')
    const stream = fc.array(fc.tuple(line, end), { maxLength: 20 }).map(lines => lines.flat().join(''))
    fc.assert(
      fc.property(stream, fc.array(fc.nat(), { maxLength: 6 }), (text, places) => {
        const whole = new TextEncoder().encode(text)
        const sorted = [...new Set(places.map(place => place % (whole.length + 1)))].sort((a, b) => a - b)
        const cut = [0, ...sorted].map((start, index) => whole.subarray(start, sorted[index] ?? whole.length))
        expect(parse(...cut)).toEqual(parse(whole))
      }),
    )
  })

  test('reports a tail without blank line as incomplete', () => {
    expect(parse('data: a\n')).toEqual([{ data: 'a', flaw: 'incomplete' }])
  })

  test('collects comments and passes over a leading byte order mark', () => {
    expect(parse('\ufeff: one\n: two\n\n')).toEqual([{ comment: ' one\n two' }])
  })

  test('refuses bytes that are no UTF-8', () => {
    expect(parse(Uint8Array.from([0x64, 0xff, 0x0a, 0x0a]))).toEqual([{ flaw: 'not-utf8' }])
  })

  test('gives up a block without end', () => {
    const blocks: SseBlock[] = []
    const parser = createSseParser(block => blocks.push(block), 50)
    for (let i = 0; i < 10; i += 1) parser.feed(new TextEncoder().encode(`data: ${'x'.repeat(10)}\n`))
    expect(blocks.map(block => block.flaw)).toEqual(['too-long'])
  })

  test('never throws, whatever the bytes', () => {
    fc.assert(fc.property(fc.array(fc.uint8Array({ maxLength: 40 })), chunks => void parse(...chunks)))
  })
})
