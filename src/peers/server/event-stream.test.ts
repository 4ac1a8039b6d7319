import { describe, expect, test } from 'vitest'
import { formatEvent } from '../../wire/sse-writer.ts'
import { createEventStore } from './event-store.ts'
import { type Connection, createEventStream, type ServerStream, type StreamBehaviour } from './event-stream.ts'

interface Fake extends Connection {
  written: string
  ended: boolean
  /** The client goes away. */
  leave(): void
}

/** `slow`: each write takes a turn of the event loop. */
function fake(slow = false): Fake {
  let see = (): void => {}
  const connection: Fake = {
    written: '',
    ended: false,
    write(bytes) {
      const text = Buffer.from(bytes).toString()
      if (!slow) {
        connection.written += text
        return
      }
      return new Promise(resolve =>
        setImmediate(() => {
          connection.written += text
          resolve()
        }),
      )
    },
    flush() {},
    end() {
      connection.ended = true
    },
    destroy() {
      connection.ended = true
    },
    get isOpen() {
      return !connection.ended
    },
    onClose(act) {
      see = act
    },
    leave: () => see(),
  }
  return connection
}

const WITH_IDS: StreamBehaviour = {
  eventId: ({ id }, count) => `${id}-${count}`,
  priming: () => ({ data: '', retry: 5 }),
  format: fields => formatEvent(fields, {}),
  carry: message => ({ data: JSON.stringify(message) }),
}
const WITHOUT_IDS: StreamBehaviour = { format: WITH_IDS.format, carry: WITH_IDS.carry }

const store = createEventStore()
let streams = 0
function opened(behaviour: StreamBehaviour, connection: Connection): ServerStream {
  streams += 1
  const stream = createEventStream({ id: `s${streams}`, kind: 'post', session: 'a' }, behaviour, store)
  stream.attach(connection)
  stream.prime()
  return stream
}

describe('an event stream', () => {
  test('begins with its priming event, where it has one', () => {
    const [primed, plain] = [fake(), fake()]
    const { view } = opened(WITH_IDS, primed)
    opened(WITHOUT_IDS, plain)
    expect([primed.written, plain.written]).toEqual([`id: ${view.id}-1\nretry: 5\ndata: \n\n`, ''])
  })

  test('keeps what has an id for whoever comes back, and loses the rest', () => {
    const connection = fake()
    const stream = opened(WITH_IDS, connection)
    connection.leave()
    expect([stream.isConnected, stream.message('kept'), stream.lastEventId]).toEqual([
      false,
      true,
      `${stream.view.id}-2`,
    ])
    const lossy = opened(WITHOUT_IDS, connection)
    expect(lossy.message('lost')).toBe(false)
  })

  test('is replayed behind an event, and goes on', () => {
    const stream = opened(WITH_IDS, fake())
    void stream.close()
    void stream.message('missed')
    const back = fake()
    stream.attach(back)
    stream.replay(store.after(`${stream.view.id}-1`, 'a')?.events ?? [])
    void stream.message('new')
    return Promise.resolve(stream.finish()).then(() => {
      const data = [...back.written.matchAll(/^data: (.*)$/gm)].map(([, text]) => text)
      expect(data).toEqual(['"missed"', '"new"'])
      expect(back.ended).toBe(true)
    })
  })

  test('ends a connection that is made after it has finished, once that has everything', async () => {
    const stream = opened(WITH_IDS, fake())
    void stream.close()
    void stream.message('the response')
    void stream.finish()
    const back = fake()
    stream.attach(back)
    stream.replay(store.after(`${stream.view.id}-1`, 'a')?.events ?? [])
    await new Promise(setImmediate)
    expect([back.written.includes('the response'), back.ended]).toEqual([true, true])
  })

  test('does not end a connection for the sake of an older one', () => {
    const [first, second] = [fake(), fake()]
    const stream = opened(WITH_IDS, first)
    stream.attach(second)
    first.leave()
    expect([stream.isConnected, second.ended]).toEqual([true, false])
  })

  test('writes one thing after the other, also where that takes its time', async () => {
    const connection = fake(true)
    const stream = opened(WITHOUT_IDS, connection)
    void stream.message(1)
    void stream.message(2)
    await stream.finish()
    expect(connection.written).toBe('data: 1\n\ndata: 2\n\n')
    expect(connection.ended).toBe(true)
  })

  test('writes what its owner makes of an event', () => {
    const connection = fake()
    const stream = opened({ ...WITHOUT_IDS, rewrite: (raw, message) => (message === 1 ? [] : [raw, raw]) }, connection)
    void stream.message(1)
    void stream.message(2)
    expect(connection.written).toBe('data: 2\n\ndata: 2\n\n')
  })

  test('closes its connection behind the events that its owner names, and goes on', () => {
    const connection = fake()
    const stream = opened({ ...WITH_IDS, closesAfter: (_view, count) => count === 2 }, connection)
    void stream.message('last for now')
    expect([connection.ended, stream.isConnected, stream.isFinished]).toEqual([true, false, false])
  })
})
