import { describe, expect, test } from 'vitest'
import type { Got, HttpReply, Probe, Reply } from '../peers/reply.ts'
import { judge } from '../suite/judgement.ts'
import type { Frame } from '../wire/log.ts'
import { kindOf } from './kind.ts'

const head = { seq: 1, at: 0, channel: 'mcp', session: 's1' } as const
const http: HttpReply = {
  status: 0,
  headers: [],
  contentType: '',
  body: '',
  events: [],
  ended: 'complete',
  frames: [],
}

/** The suite says that something was accepted, where anything came. */
const kind = (got: Got) => kindOf(judge('claim', false, 'a refusal', got, 'accepted'))
const afterFrame = (frame: Frame) => kind({ messages: [], alive: false, frames: [frame] } satisfies Probe)

describe('a probe whose ping is not answered', () => {
  test('shows a target that is stuck where we stopped reading its answer', () => {
    expect(afterFrame({ ...head, exchange: 4, kind: 'end', why: 'closed', detail: 'we stopped reading' })).toBe('stuck')
  })

  test('shows a target that died where its connection failed', () => {
    expect(afterFrame({ ...head, exchange: 4, kind: 'end', why: 'failed', detail: 'ECONNRESET' })).toBe('died')
  })

  test('shows a target that died where its output was closed', () => {
    expect(afterFrame({ ...head, kind: 'end', why: 'closed' })).toBe('died')
  })

  test('shows a target that is stuck where it only stays silent', () => {
    expect(afterFrame({ ...head, kind: 'silence', awaiting: 'an answer to ping', waitedMs: 50 })).toBe('stuck')
  })
})

describe('an HTTP answer that did not begin', () => {
  test('shows a target that is silent where we stopped to wait for it', () => {
    expect(kind({ ...http, ended: 'open' })).toBe('silent')
  })

  test('shows a target that died where the connection failed', () => {
    expect(kind({ ...http, ended: 'failed' })).toBe('died')
  })
})

describe('an HTTP answer without a message', () => {
  const ofStatus = (status: number) =>
    kindOf(judge('claim', false, 'a result', { kind: 'http-error', http: { ...http, status }, frames: [], afterMs: 1 }))

  test('has the wrong status where that is none of success', () => {
    expect(ofStatus(500)).toBe('wrong-status')
  })

  test('is silence where its status says that all went well', () => {
    expect(ofStatus(202)).toBe('silent')
  })
})

const frame = (more: object): Frame => ({ ...head, ...more }) as Frame
const end = frame({ kind: 'end', why: 'exited', code: 1 })
const message = frame({ kind: 'message', from: 'them', text: '{}' })
const reply = (more: object): Reply => ({ kind: 'none', why: 'timeout', frames: [], afterMs: 1, ...more }) as Reply
const probe = (more: Partial<Probe>): Probe => ({ messages: [], alive: true, frames: [], ...more })

describe('what a suite says is about what came; where nothing came, that is the kind', () => {
  test.each([
    [reply({ kind: 'none', why: 'timeout' }), 'silent'],
    [reply({ kind: 'none', why: 'closed' }), 'died'],
    [reply({ kind: 'none', why: 'unparsable' }), 'malformed'],
    [{ ...http, ended: 'failed' }, 'died'],
    [probe({ alive: false }), 'stuck'],
    [probe({ alive: false, frames: [end] }), 'died'],
    [reply({ kind: 'result', result: {} }), 'accepted'],
    [{ ...http, status: 200 }, 'accepted'],
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
    [reply({ kind: 'http-error', http: { ...http, status: 500 } }), 'wrong-status'],
    [{ ...http, status: 500 }, 'wrong-status'],
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
