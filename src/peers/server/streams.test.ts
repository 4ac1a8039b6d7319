import { describe, expect, test } from 'vitest'
import { formatEvent } from '../../wire/sse-writer.ts'
import { createEventStore, type EventStore } from './event-store.ts'
import type { Connection } from './event-stream.ts'
import { createStreams, type Streams } from './streams.ts'

interface Fake extends Connection {
  data: string[]
  ended: boolean
}

function fake(): Fake {
  const connection: Fake = {
    data: [],
    ended: false,
    write(bytes) {
      for (const [, text = ''] of String(bytes).matchAll(/^data: (.*)$/gm)) connection.data.push(text)
    },
    flush() {},
    end() {
      connection.ended = true
    },
    destroy() {},
    get isOpen() {
      return !connection.ended
    },
    onClose() {},
  }
  return connection
}

let names = 0
const streamsOf = (session: string, holds: boolean, store: EventStore = createEventStore()): Streams =>
  createStreams({
    session,
    store,
    holds,
    behaviour: {
      eventId: ({ id }, count) => `${id}-${count}`,
      format: fields => formatEvent(fields, {}),
      carry: message => ({ data: String(message) }),
    },
    nextId() {
      names += 1
      return `n${names}`
    },
    route: open => open.filter(({ kind }) => kind === 'get').slice(0, 1),
    deliver: (stream, said) => 'message' in said && stream.message(said.message),
  })

describe('the streams of a session', () => {
  test('carry what belongs to no request where it is routed, on one of them', () => {
    const streams = streamsOf('a', false)
    const [post, first, second] = [fake(), fake(), fake()]
    streams.open('post', post)
    streams.open('get', first)
    streams.open('get', second)
    expect(streams.announce({ message: 'news' }, undefined)).toBe(true)
    expect([post.data, first.data, second.data]).toEqual([[], ['news'], []])
  })

  test('hold what nobody hears for the next stream of GET, or lose it', () => {
    for (const holds of [true, false]) {
      const streams = streamsOf('a', holds)
      expect(streams.announce({ message: 'early' }, undefined)).toBe(false)
      const get = fake()
      streams.open('get', get)
      expect(get.data).toEqual(holds ? ['early'] : [])
    }
  })

  test('are continued behind an event of their own, each by itself', async () => {
    const streams = streamsOf('a', false)
    const one = streams.open('post', fake())
    const other = streams.open('post', fake())
    void one.message('1')
    void other.message('x')
    void one.close()
    void one.message('2')
    const back = fake()
    expect(streams.resume(back, `${one.view.id}-1`)).toBe(one)
    void one.message('3')
    await new Promise(setImmediate)
    expect(back.data).toEqual(['2', '3'])
  })

  test('are not continued in another session', () => {
    const store = createEventStore()
    const own = streamsOf('a', false, store)
    const stream = own.open('post', fake())
    void stream.message('1')
    expect(streamsOf('b', false, store).resume(fake(), `${stream.view.id}-1`)).toBeUndefined()
  })

  test('end with the session', () => {
    const streams = streamsOf('a', false)
    const get = fake()
    streams.open('get', get)
    streams.endAll()
    expect([get.ended, streams.gets]).toEqual([true, []])
  })
})
