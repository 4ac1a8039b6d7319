import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../wire/json-rpc.ts'
import { shapeOf } from '../../wire/json-rpc.ts'
import { createIncoming, isValid } from './incoming.ts'
import { type ClientPolicies, correctClient } from './policies.ts'

function setUp(version: string, changes: Partial<ClientPolicies> = {}) {
  const seen: unknown[] = []
  const incoming = createIncoming({
    policies: { ...correctClient(), ...changes },
    requests: {
      settle: id => {
        seen.push(['settle', id])
        return id === 1
      },
      progressed: token => token === 't',
    },
    answers: {
      answer: async ({ id }) => void seen.push(['answer', id]),
      cancel: id => void seen.push(['cancel', id]),
    },
    agreement: { version, declared: {}, serverCapabilities: {}, serverInfo: undefined },
    send: async message => void seen.push(['send', message]),
    onNotification: method => void seen.push(['notified', method]),
  })
  return { read: (json: unknown) => incoming.read(JSON.stringify(json)), text: incoming.read, seen }
}

const message = (more: JsonObject): JsonObject => ({ jsonrpc: '2.0', ...more })

describe('what a server says', () => {
  test('reaches those who wait for it', () => {
    const { read, seen } = setUp('2025-11-25')
    read(message({ id: 1, result: {} }))
    read(message({ id: 'q', method: 'ping' }))
    read(message({ method: 'notifications/cancelled', params: { requestId: 'q' } }))
    expect(seen).toEqual([
      ['settle', 1],
      ['answer', 'q'],
      ['cancel', 'q'],
      ['notified', 'notifications/cancelled'],
    ])
  })
  test('is answered by nothing where it is no message', () => {
    const { read, text, seen } = setUp('2025-11-25')
    for (const json of [5, null, {}, { id: 1, result: {} }, message({ id: null, method: 'ping' })]) read(json)
    text('no JSON')
    expect(seen).toEqual([])
  })
  test.each([
    ['2025-03-26', 2],
    ['2025-11-25', 0],
  ])('may be an array in %s: %i messages are taken of it', (version, taken) => {
    const { read, seen } = setUp(version)
    read([message({ id: 1, result: {} }), message({ id: 1, result: {} })])
    expect(seen).toHaveLength(taken)
  })
  test('is answered where a fault wants it', () => {
    const { read, seen } = setUp('2025-11-25', {
      onUnknownResponse: ({ id }) => [message({ method: `who is ${id}?` })],
    })
    read(message({ id: 1, result: {} }))
    read(message({ id: 2, result: {} }))
    expect(seen.filter(one => Array.isArray(one) && one[0] === 'send')).toHaveLength(1)
  })
  test('tells of progress whether the token is known', () => {
    const known: boolean[] = []
    const { read } = setUp('2025-11-25', { onProgress: (_, isKnown) => void known.push(isKnown) })
    for (const progressToken of ['t', 'other'])
      read(message({ method: 'notifications/progress', params: { progressToken } }))
    expect(known).toEqual([true, false])
  })
})

test.each<[JsonObject, boolean]>([
  [message({ id: 1, method: 'a' }), true],
  [message({ id: 1.5, method: 'a' }), false],
  [message({ id: 1, method: 5 }), false],
  [message({ method: 'a' }), true],
  [message({ id: 1, error: 5 }), true],
  [{ id: 1, method: 'a' }, false],
])('%j is a message: %s', (json, expected) => {
  expect(isValid(json, shapeOf(json))).toBe(expected)
})
