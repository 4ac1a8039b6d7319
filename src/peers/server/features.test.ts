import { expect, test } from 'vitest'
import { declares, featureOf } from './features.ts'

const TABLE = {
  ping: { run: 'pong' },
  'tools/list': { capability: 'tools', run: 'tools' },
  'resources/subscribe': { capability: 'resources.subscribe', run: 'subscribes' },
}

test('a feature answers where its capability is declared, or needs none', () => {
  expect(featureOf(TABLE, 'ping', {})).toBe('pong')
  expect(featureOf(TABLE, 'tools/list', {})).toBeUndefined()
  expect(featureOf(TABLE, 'tools/list', { tools: {} })).toBe('tools')
  expect(featureOf(TABLE, 'toString', { tools: {} })).toBeUndefined()
})

test('a switch inside a capability has to be on', () => {
  expect(
    [{}, { resources: {} }, { resources: { subscribe: false } }, { resources: { subscribe: true } }].map(declared =>
      declares(declared, 'resources.subscribe'),
    ),
  ).toEqual([false, false, false, true])
})
