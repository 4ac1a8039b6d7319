import { describe, expect, test } from 'vitest'
import { parseEvents, type StreamEvent } from './event-parser.ts'

function read(text: string, size = text.length): StreamEvent[] {
  const events: StreamEvent[] = []
  const parser = parseEvents(event => events.push(event))
  const bytes = Buffer.from(text)
  for (let start = 0; start < bytes.length; start += Math.max(1, size)) parser.feed(bytes.subarray(start, start + size))
  parser.end()
  return events
}

const STREAM = ': comment\nid: 1\nevent: message\nretry: 20\ndata: {\ndata: "ü": "😀"}\n\nx: y\ndata:tight\n\n'
const EVENTS = [{ id: '1', event: 'message', retry: '20', data: '{\n"ü": "😀"}' }, { data: 'tight' }]

describe('the event parser of the reference client', () => {
  test.each(['\n', '\r\n', '\r'])('reads events whose lines end with %j, in one piece and byte by byte', newline => {
    // A CR alone is certain only when something follows.
    const text = `${STREAM}: behind\n`.replaceAll('\n', newline)
    expect(read(text)).toEqual(EVENTS)
    expect(read(text, 1)).toEqual(EVENTS)
  })
  test('tells a block with an id and empty data, and one with an id alone', () => {
    expect(read('id: a\ndata:\n\nid: b\n\nid\n\nid:c\n\n')).toEqual([
      { id: 'a', data: '' },
      { id: 'b' },
      { id: '' },
      { id: 'c' },
    ])
  })
  test('tells a retry without data, and no id that has a NUL', () => {
    expect(read('retry: 300\n\nid: a\0b\ndata: x\n\nid: a\0b\n\n')).toEqual([{ retry: '300' }, { data: 'x' }])
  })
  test('forgets the id of an event for the next one', () => {
    expect(read('id: a\ndata: x\n\ndata: y\n\n')).toEqual([{ id: 'a', data: 'x' }, { data: 'y' }])
  })
  test('ignores a byte order mark, comments and what is cut off', () => {
    expect(read('\uFEFFdata: x\n\n: alone\n\nid: 2\ndata: half')).toEqual([{ data: 'x' }])
  })
  test('reads on behind a field that it does not know', () => {
    expect(read('identity: 1\nretry: soon\ndata: x\n\n')).toEqual([{ data: 'x' }])
  })
  test('stops at a line without end', () => {
    const events: StreamEvent[] = []
    const parser = parseEvents(event => events.push(event))
    const chunk = Buffer.alloc(1024 * 1024, 'x')
    for (let sent = 0; sent < 17; sent += 1) parser.feed(chunk)
    parser.feed(Buffer.from('\n\ndata: late\n\n'))
    expect(events).toEqual([])
  })
})
