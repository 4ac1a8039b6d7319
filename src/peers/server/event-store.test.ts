import { expect, test } from 'vitest'
import { createEventStore } from './event-store.ts'

const event = (id: string, stream = 's', session = 'a') => ({ id, stream, session, message: id })

test('a store gives the later events of the same stream, in the session that they belong to', () => {
  const store = createEventStore()
  for (const one of [event('1'), event('2', 't'), event('3'), event('4', 's', 'b')]) store.append(one)
  expect(store.after('1', 'a')?.events.map(({ id }) => id)).toEqual(['3', '4'])
  expect(store.after('1', 'b')).toBeUndefined()
  expect(store.after('9', 'a')).toBeUndefined()
})

test('a store forgets the oldest events, so that it does not grow without end', () => {
  const store = createEventStore()
  for (let number = 0; number <= 10_000; number += 1) store.append(event(String(number)))
  expect(store.after('0', 'a')).toBeUndefined()
  expect(store.after('9999', 'a')?.events.map(({ id }) => id)).toEqual(['10000'])
})
