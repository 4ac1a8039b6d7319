import { expect, test } from 'vitest'
import { countWire } from './wire-counts.ts'

test('sessions are counted by name, requests over HTTP by their heads and over stdio by our messages', () => {
  const lines = [
    { session: 's1', kind: 'http', from: 'us', exchange: 1 },
    { session: 's1', kind: 'message', from: 'us', exchange: 1 },
    { session: 's1', kind: 'http', from: 'them', exchange: 1 },
    { session: 's2', kind: 'message', from: 'us' },
    { session: 's2', kind: 'message', from: 'them' },
  ].map(frame => JSON.stringify(frame))
  expect(countWire(`${lines.join('\n')}\n`)).toEqual({ sessions: 2, requests: 2 })
})
