import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createLineReader, type Line } from './lines.ts'

function read(chunks: Uint8Array[], maxBytes?: number): Line[] {
  const lines: Line[] = []
  const reader = createLineReader(line => lines.push(line), maxBytes)
  for (const chunk of chunks) reader.feed(chunk)
  reader.end()
  return lines
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

/** Cuts the bytes at the given places. */
function cut(whole: Uint8Array, places: number[]): Uint8Array[] {
  const sorted = [...new Set(places.map(place => place % (whole.length + 1)))].sort((a, b) => a - b)
  return [0, ...sorted].map((start, index) => whole.subarray(start, sorted[index] ?? whole.length))
}

describe('the line reader', () => {
  test('gives one message for each line, however the bytes are cut', () => {
    fc.assert(
      fc.property(
        fc.array(fc.jsonValue(), { maxLength: 5 }),
        fc.array(fc.nat(), { maxLength: 8 }),
        (values, places) => {
          const whole = bytes(values.map(value => `${JSON.stringify(value)}\n`).join(''))
          expect(read(cut(whole, places)).map(line => JSON.stringify(line.json))).toEqual(
            values.map(value => JSON.stringify(JSON.parse(JSON.stringify(value)))),
          )
        },
      ),
    )
  })

  test('never throws, whatever the bytes', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 200 }),
        fc.array(fc.nat()),
        (whole, places) => void read(cut(whole, places)),
      ),
    )
  })

  test('splits on LF only: CR, U+2028 and U+2029 are characters', () => {
    expect(read([bytes('"a\u2028b\u2029c"\n"d"\r\n')])).toEqual([
      { text: '"a\u2028b\u2029c"', json: 'a\u2028b\u2029c' },
      { text: '"d"', json: 'd', crlf: true },
    ])
  })

  test('reports bytes that are no UTF-8 and keeps them', () => {
    const [line] = read([Uint8Array.from([0x22, 0xfc, 0x22, 0x0a])])
    expect(line).toEqual({ text: '"\ufffd"', bytes: 'Ivwi', flaw: 'not-utf8' })
  })

  test('keeps a byte order mark as what it is', () => {
    expect(read([bytes('\ufeff{}\n')])).toEqual([{ text: '\ufeff{}', flaw: 'not-json' }])
  })

  test('marks what comes after the last LF as unterminated', () => {
    expect(read([bytes('{"a":1}')])).toEqual([{ text: '{"a":1}', json: { a: 1 }, flaw: 'unterminated' }])
  })

  test('reports an endless line once and goes on behind it', () => {
    const lines = read([bytes('x'.repeat(30)), bytes('y'.repeat(30)), bytes('z\n{}\n')], 40)
    expect(lines.map(line => line.flaw ?? line.text)).toEqual(['too-long', '{}'])
  })
})
