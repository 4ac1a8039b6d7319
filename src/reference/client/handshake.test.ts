import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../wire/json-rpc.ts'
import { createClock } from './clock.ts'
import { offer, shakeHands } from './handshake.ts'
import { type ClientPolicies, correctClient } from './policies.ts'
import type { Reply } from './reply.ts'
import { everything } from './settings.ts'

async function run(reply: Reply, changes: Partial<ClientPolicies> = {}, tested?: string) {
  const done: string[] = []
  const clock = createClock(problem => {
    throw problem
  })
  const context = { policies: { ...correctClient(), ...changes }, settings: everything(), tested, clock }
  const agreement = offer(context)
  const speaking = {
    request: async (method: string) => {
      done.push(method)
      return reply
    },
    send: async ({ method }: JsonObject) => void done.push(String(method)),
  }
  const link = { agreed: (version: string) => void done.push(version), listen: () => void done.push('listen') }
  const outcome = await shakeHands(context, agreement, speaking, link)
  return { outcome, agreement, done }
}

const answering = (result: JsonObject): Reply => ({ kind: 'result', result })

describe('the handshake', () => {
  test('offers the newest revision with sessions, or the one that is tested', async () => {
    const context = { policies: correctClient(), settings: everything() }
    expect(offer({ ...context, tested: undefined }).version).toBe('2025-11-25')
    expect(offer({ ...context, tested: '2025-03-26' })).toMatchObject({
      version: '2025-03-26',
      declared: { roots: {} },
    })
    expect(offer({ ...context, tested: 'none' }).version).toBe('2025-11-25')
  })
  test('says that the client is ready before anything else, and then listens', async () => {
    const capabilities = { tools: {} }
    const { outcome, agreement, done } = await run(
      answering({ protocolVersion: '2025-06-18', capabilities, serverInfo: { name: 's' } }),
    )
    expect(outcome.kind).toBe('result')
    expect(done).toEqual(['initialize', '2025-06-18', 'notifications/initialized', 'listen'])
    expect(agreement).toMatchObject({
      version: '2025-06-18',
      serverCapabilities: capabilities,
      serverInfo: { name: 's' },
    })
    // That revision knows no tasks.
    expect(agreement.declared).not.toHaveProperty('tasks')
  })
  test.each(['2099-01-01', '1999-01-01', 5, undefined])('ends where the server wants to speak %j', async version => {
    const { outcome, done } = await run(answering({ protocolVersion: version }))
    expect(outcome).toMatchObject({ kind: 'failed', why: 'invalid' })
    expect(done).toEqual(['initialize'])
  })
  test('takes no newer revision than the one that it has offered', async () => {
    const { outcome } = await run(answering({ protocolVersion: '2025-11-25' }), {}, '2025-06-18')
    expect(outcome).toMatchObject({ why: 'invalid' })
  })
  test('says more only where a fault wants it', async () => {
    const { done } = await run(answering({ protocolVersion: '2025-11-25' }), {
      greets: when => [{ method: when, ...(when === 'initialized' ? { isNotification: true as const } : {}) }],
    })
    expect(done).toEqual([
      'before initialize',
      'initialize',
      'initialize sent',
      '2025-11-25',
      'notifications/initialized',
      'listen',
      'initialized',
    ])
  })
})
