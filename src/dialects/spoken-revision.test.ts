import { expect, test } from 'vitest'
import type { Json } from '../wire/json-rpc.ts'
import type { Frame } from '../wire/log.ts'
import { readSpokenRevision } from './spoken-revision.ts'

const frame = (from: 'us' | 'them', json: Json, intended?: 'fault'): Frame => ({
  seq: 1,
  at: 0,
  channel: 'mcp',
  session: 's1',
  kind: 'message',
  from,
  text: '',
  json,
  ...(intended === undefined ? {} : { intended }),
})

const modern = {
  method: 'tools/list',
  id: 2,
  params: { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } },
}

test('the answer to initialize says which revision is spoken, where we know it', () => {
  const spoken = readSpokenRevision('2025-11-25')
  spoken.see(frame('us', { id: 'a', method: 'initialize' }))
  spoken.see(frame('them', { id: 'b', result: { protocolVersion: '2024-11-05' } }))
  expect(spoken.revision).toBe('2025-11-25')
  spoken.see(frame('them', { id: 'a', result: { protocolVersion: '2025-03-26' } }))
  expect(spoken.revision).toBe('2025-03-26')
  spoken.see(frame('them', { id: 'a', result: { protocolVersion: '2099-01-01' } }))
  expect(spoken.revision).toBe('2025-03-26')
})

test('a request of ours says it where there is no session', () => {
  const spoken = readSpokenRevision('2025-11-25')
  spoken.see(frame('us', modern))
  expect(spoken.revision).toBe('2026-07-28')
})

test('a request of theirs, or one that is wrong on purpose, says nothing', () => {
  const spoken = readSpokenRevision('2025-11-25')
  spoken.see(frame('them', modern))
  spoken.see(frame('us', modern, 'fault'))
  expect(spoken.revision).toBe('2025-11-25')
})
