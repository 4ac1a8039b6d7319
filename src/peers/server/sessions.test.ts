import { expect, test } from 'vitest'
import { createSessions } from './sessions.ts'

test('sessions are found by the id that they were given, also when they have ended', () => {
  const sessions = createSessions<string>()
  sessions.add('1', 'first')
  sessions.add(undefined, 'nameless')
  sessions.add('1', 'again')
  sessions.end('first')
  expect([sessions.withId('1'), sessions.withId('2'), sessions.isEnded('first')]).toEqual(['first', undefined, true])
  expect(sessions.all).toEqual(['first', 'nameless', 'again'])
})

test('the newest session is the last one that has not ended', () => {
  const sessions = createSessions<string>()
  expect(sessions.newest()).toBeUndefined()
  for (const name of ['a', 'b']) sessions.add(name, name)
  sessions.end('b')
  expect(sessions.newest()).toBe('a')
})
