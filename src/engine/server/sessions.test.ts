import { describe, expect, test } from 'vitest'
import type { OpenPeer } from '../../peers/open-peer.ts'
import type { SessionFactory } from '../../peers/session-factory.ts'
import type { AnyScenario } from '../../suite/server-scenario.ts'
import { createSessions } from './sessions.ts'

/** Opens peers that answer, or do not, and counts them. */
function factoryOf(answers: (number: number) => 'result' | 'error' | 'silence' = () => 'result') {
  const opened: { hello: unknown; closed: boolean; lives: boolean }[] = []
  const open = async (hello: unknown): Promise<OpenPeer> => {
    const how = answers(opened.length + 1)
    const self = { hello, closed: false, lives: true }
    opened.push(self)
    const opening = {
      result: { kind: 'result' },
      error: { kind: 'error', code: -1, message: 'no' },
      silence: { kind: 'none', why: 'timeout' },
    }[how]
    return {
      opening,
      isGone: false,
      liveness: 'ping',
      request: async () => (self.lives ? { kind: 'result', id: 1, afterMs: 2 } : { kind: 'none', why: 'timeout' }),
      close: async () => {
        self.closed = true
      },
    } as unknown as OpenPeer
  }
  return { factory: { open } as unknown as SessionFactory, opened }
}

const SHARING = { perSession: 2, own: 'share' } as const

const scenario = (more: object = {}): AnyScenario => ({ ...more }) as AnyScenario

async function use(sessions: ReturnType<typeof createSessions>, one: AnyScenario): Promise<OpenPeer> {
  const taken = await sessions.take('x', one)
  if (!('peer' in taken)) throw new Error(taken.why)
  await sessions.give(one, taken.peer)
  return taken.peer
}

describe('a session', () => {
  test('is shared by scenarios with equal hellos, one after the other', async () => {
    const { factory, opened } = factoryOf()
    const sessions = createSessions(factory, SHARING)
    const first = await use(sessions, scenario())
    expect(await use(sessions, scenario())).toBe(first)
    expect(await use(sessions, scenario({ hello: { capabilities: { roots: {} } } }))).not.toBe(first)
    expect(opened).toHaveLength(2)
  })

  test('is never used by two at a time', async () => {
    const { factory } = factoryOf()
    const sessions = createSessions(factory, SHARING)
    const [a, b] = await Promise.all([sessions.take('a', scenario()), sessions.take('b', scenario())])
    expect('peer' in a && 'peer' in b && a.peer !== b.peer).toBe(true)
  })

  test('is taken over by those that leave traces when no other is to come, and is then for them only', async () => {
    const { factory } = factoryOf()
    const sessions = createSessions(factory, SHARING)
    const own = scenario({ session: 'own' })
    sessions.expect([scenario(), own, own])
    expect(sessions.isReady(own)).toBe(false)
    const shared = await use(sessions, scenario())
    expect(sessions.isReady(own)).toBe(true)
    expect(await use(sessions, own)).toBe(shared)
    expect(await use(sessions, own)).toBe(shared)
    expect(await use(sessions, scenario())).not.toBe(shared)
  })

  test('is for the scenario alone where those that leave traces may not share', async () => {
    const { factory, opened } = factoryOf()
    const sessions = createSessions(factory, { ...SHARING, own: 'alone' })
    await use(sessions, scenario({ session: 'own' }))
    await use(sessions, scenario({ session: 'own' }))
    expect(opened.map(one => one.closed)).toEqual([true, true])
  })

  test('is waited for where so few scenarios are to come that a second one is not worth its opening', async () => {
    const { factory } = factoryOf()
    const sessions = createSessions(factory, SHARING)
    sessions.expect([scenario(), scenario()])
    const taken = await sessions.take('x', scenario())
    expect(sessions.isReady(scenario())).toBe(false)
    expect(sessions.isReady(scenario({ hello: { capabilities: {} } }))).toBe(true)
    expect(sessions.isReady(scenario({ session: 'fresh' }))).toBe(true)
    if ('peer' in taken) await sessions.give(scenario(), taken.peer)
    expect(sessions.isReady(scenario())).toBe(true)
  })

  test('that was opened for something else serves the first scenario', async () => {
    const { factory, opened } = factoryOf()
    const sessions = createSessions(factory, SHARING)
    const peer = await factory.open({})
    sessions.adopt(peer)
    expect(await use(sessions, scenario())).toBe(peer)
    expect(opened).toHaveLength(1)
  })

  test.each(['fresh', 'process', 'no-handshake'])('%s begins and ends with its scenario', async session => {
    const { factory, opened } = factoryOf()
    const sessions = createSessions(factory, SHARING)
    await use(sessions, scenario({ session }))
    await use(sessions, scenario({ session }))
    expect(opened.map(one => one.closed)).toEqual([true, true])
  })

  test('that no longer answers is given up', async () => {
    const { factory, opened } = factoryOf()
    const sessions = createSessions(factory, SHARING)
    const taken = await sessions.take('x', scenario())
    if ('peer' in taken && opened[0] !== undefined) {
      opened[0].lives = false
      await sessions.give(scenario(), taken.peer)
    }
    await use(sessions, scenario())
    expect(opened.map(one => one.closed)).toEqual([true, false])
  })
})

describe('where no handshake comes about', () => {
  test('a refusal is tried once more', async () => {
    const { factory } = factoryOf(number => (number === 1 ? 'error' : 'result'))
    expect('peer' in (await createSessions(factory, SHARING).take('x', scenario()))).toBe(true)
  })

  test('silence is not, and counts as dead', async () => {
    const { factory, opened } = factoryOf(() => 'silence')
    const taken = await createSessions(factory, SHARING).take('x', scenario())
    expect(taken).toEqual({ why: 'initialize was not answered', dead: true })
    expect(opened).toHaveLength(1)
  })
})
