import { describe, expect, test } from 'vitest'
import type { HttpReply, Probe } from '../peers/reply.ts'
import { judge } from '../suite/judgement.ts'
import type { Frame } from '../wire/log.ts'
import { kindOf } from './kind.ts'

const head = { seq: 1, at: 0, channel: 'mcp', session: 's1' } as const
const unanswered = (frame: Frame): Probe => ({ messages: [], alive: false, frames: [frame] })
const kind = (frame: Frame) => kindOf(judge('claim', false, 'an answer to ping', unanswered(frame), 'accepted'))

describe('a probe whose ping is not answered', () => {
  test('shows a target that is stuck where we stopped reading its answer', () => {
    expect(kind({ ...head, exchange: 4, kind: 'end', why: 'closed', detail: 'we stopped reading' })).toBe('stuck')
  })

  test('shows a target that died where its connection failed', () => {
    expect(kind({ ...head, exchange: 4, kind: 'end', why: 'failed', detail: 'ECONNRESET' })).toBe('died')
  })

  test('shows a target that died where its output was closed', () => {
    expect(kind({ ...head, kind: 'end', why: 'closed' })).toBe('died')
  })

  test('shows a target that is stuck where it only stays silent', () => {
    expect(kind({ ...head, kind: 'silence', awaiting: 'an answer to ping', waitedMs: 50 })).toBe('stuck')
  })
})

describe('an HTTP answer without a message', () => {
  const http: HttpReply = {
    status: 0,
    headers: [],
    contentType: '',
    body: '',
    events: [],
    ended: 'complete',
    frames: [],
  }
  const kindOfStatus = (status: number) =>
    kindOf(judge('claim', false, 'a result', { kind: 'http-error', http: { ...http, status }, frames: [], afterMs: 1 }))

  test('has the wrong status where that is none of success', () => {
    expect(kindOfStatus(500)).toBe('wrong-status')
  })

  test('is silence where its status says that all went well', () => {
    expect(kindOfStatus(202)).toBe('silent')
  })
})
