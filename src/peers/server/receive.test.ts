import { expect, test } from 'vitest'
import type { Json } from '../../wire/json-rpc.ts'
import { isValidMessage, receive } from './receive.ts'

const taken = (json: Json): string => {
  let as = ''
  const take = (name: string) => (): void => {
    as = name
  }
  void receive(json, {
    isValid: isValidMessage,
    request: take('request'),
    notification: take('notification'),
    response: take('response'),
    batch: take('batch'),
    invalid: take('invalid'),
  })
  return as
}

test('a message is taken as what it is', () => {
  expect(
    [
      { jsonrpc: '2.0', id: 1, method: 'ping' },
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', id: 1, result: {} },
      { jsonrpc: '2.0', id: 1, error: { code: 1, message: '' } },
      [],
    ].map(taken),
  ).toEqual(['request', 'notification', 'response', 'response', 'batch'])
})

test.each<Json>([
  'text',
  null,
  {},
  { id: 1, method: 'ping' },
  { jsonrpc: '2.0', id: null, method: 'ping' },
  { jsonrpc: '2.0', id: 1.5, method: 'ping' },
  { jsonrpc: '2.0', id: 1, method: 'ping', params: [] },
  { jsonrpc: '2.0', method: 7 },
])('%j is no message', json => {
  expect(taken(json)).toBe('invalid')
})
