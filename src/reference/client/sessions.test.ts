import { expect, test } from 'vitest'
import { type ClientPolicies, correctClient } from './policies.ts'
import { failed, type Reply } from './reply.ts'
import type { Session } from './session.ts'
import { createSessions, type SessionEvents } from './sessions.ts'

const RESULT: Reply = { kind: 'result', result: {} }
const EXPIRED = failed('expired', 'gone')

/** A server that forgets the sessions with these numbers. */
function setUp(forgets: (session: number) => boolean, changes: Partial<ClientPolicies> = {}, opens: Reply = RESULT) {
  const begun: { name: string; previousId: string | undefined; events: SessionEvents }[] = []
  const expired: number[] = []
  const opened: Session[] = []
  const sessions = createSessions({
    policies: { ...correctClient(), ...changes },
    begin(name, previousId, events) {
      const place = begun.push({ name, previousId, events })
      return {
        version: '2025-11-25',
        serverCapabilities: {},
        serverInfo: undefined,
        sessionId: `id ${place}`,
        open: async () => (place === 1 ? RESULT : opens),
        request: async () => (forgets(place) ? EXPIRED : RESULT),
        send: async () => {},
        close: async () => {},
        destroy: () => {},
        expire: () => void expired.push(place),
      }
    },
    onOpened: session => opened.push(session),
    crash(problem) {
      throw problem
    },
  })
  return { sessions, begun, expired, opened }
}

test('a session that was forgotten is replaced, and the request sent again', async () => {
  const { sessions, begun, expired, opened } = setUp(session => session === 1)
  await sessions.open()
  expect(await sessions.request('a')).toBe(RESULT)
  expect(begun.map(({ name, previousId }) => [name, previousId])).toEqual([
    ['session 1', undefined],
    ['session 2', 'id 1'],
  ])
  expect(expired).toEqual([1])
  expect(opened).toHaveLength(2)
})

test('of several requests that see it, one begins the new session', async () => {
  const { sessions, begun } = setUp(session => session === 1)
  await sessions.open()
  expect(await Promise.all(['a', 'b', 'c'].map(method => sessions.request(method)))).toEqual([RESULT, RESULT, RESULT])
  expect(begun).toHaveLength(2)
})

test('a server that forgets them all gets no sessions without end', async () => {
  const { sessions, begun } = setUp(() => true)
  await sessions.open()
  for (let times = 0; times < 6; times += 1) expect(await sessions.request('a')).toBe(EXPIRED)
  expect(begun).toHaveLength(4)
  expect(sessions.isDown).toBe(false)
})

test('a client whose new session does not open is down', async () => {
  const { sessions } = setUp(session => session === 1, {}, failed('lost', 'no'))
  await sessions.open()
  expect(await sessions.request('a')).toBe(EXPIRED)
  expect(sessions.isDown).toBe(true)
})

test.each(['go on', 'stop'] as const)('a client with the policy %j opens no session anew', async onExpired => {
  const { sessions, begun } = setUp(() => true, { onExpired })
  await sessions.open()
  expect(await sessions.request('a')).toBe(EXPIRED)
  expect(begun).toHaveLength(1)
  expect(sessions.isDown).toBe(onExpired === 'stop')
})

test('what is no request may see it, too', async () => {
  const { sessions, begun } = setUp(() => false)
  await sessions.open()
  begun[0]?.events.onExpired()
  begun[0]?.events.onExpired()
  expect(begun).toHaveLength(2)
})

test('there is no session before the first was opened', async () => {
  const { sessions } = setUp(() => false)
  sessions.destroy()
  expect(() => sessions.current).toThrow('not opened')
})
