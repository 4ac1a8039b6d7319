import { describe, expect, test } from 'vitest'
import type { Got, HttpReply, Probe, Reply } from '../peers/reply.ts'
import { judge } from '../suite/judgement.ts'
import type { Frame } from '../wire/log.ts'
import { kindOf } from './kind.ts'

const frame = (more: object): Frame => ({ channel: 'mcp', session: 's1', seq: 1, at: 0, ...more }) as Frame
const end = frame({ kind: 'end', why: 'exited', code: 1 })
const message = frame({ kind: 'message', from: 'them', text: '{}' })
const reply = (more: object): Reply => ({ kind: 'none', why: 'timeout', frames: [], afterMs: 1, ...more }) as Reply
const http = (status: number): HttpReply => ({
  status,
  headers: [],
  contentType: '',
  body: '',
  events: [],
  ended: 'complete',
  frames: [],
})
const probe = (more: Partial<Probe>): Probe => ({ messages: [], alive: true, frames: [], ...more })

describe('what a suite says is about what came; where nothing came, that is the kind', () => {
  test.each([
    [reply({ kind: 'none', why: 'timeout' }), 'silent'],
    [reply({ kind: 'none', why: 'closed' }), 'died'],
    [reply({ kind: 'none', why: 'unparsable' }), 'malformed'],
    [http(0), 'died'],
    [probe({ alive: false }), 'stuck'],
    [probe({ alive: false, frames: [end] }), 'died'],
    [reply({ kind: 'result', result: {} }), 'accepted'],
    [http(200), 'accepted'],
    [probe({}), 'accepted'],
    [message, 'accepted'],
  ] as [Got, string][])('%#', (got, kind) => {
    expect(kindOf(judge('a', false, 'x', got, 'accepted'))).toBe(kind)
  })
})

describe('where a suite says nothing, the answer shows the kind', () => {
  test.each([
    [reply({ kind: 'result', result: {} }), 'wrong-value'],
    [reply({ kind: 'error', code: 1, message: '' }), 'refused'],
    [reply({ kind: 'http-error' }), 'wrong-status'],
    [http(500), 'wrong-status'],
    [probe({ messages: [message as never] }), 'unasked'],
    [probe({}), 'silent'],
    [[], 'missing'],
    [{ text: 'nothing of the kind', frames: [] }, 'missing'],
    [{ text: 'the wrong thing', frames: [message] }, 'wrong-value'],
    [[message, end], 'died'],
    [frame({ kind: 'silence', awaiting: 'x', waitedMs: 1 }), 'silent'],
  ] as [Got, string][])('%#', (got, kind) => {
    expect(kindOf(judge('a', false, 'x', got))).toBe(kind)
  })
})
