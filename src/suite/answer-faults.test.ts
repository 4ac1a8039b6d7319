import { describe, expect, test } from 'vitest'
import type { HttpReply, Reply } from '../peers/reply.ts'
import { memberFault, refusalFault } from './answer-faults.ts'

const head = { frames: [], afterMs: 0 }
const result: Reply = { ...head, kind: 'result', id: 1, result: { tools: {} } }
const error: Reply = { ...head, kind: 'error', id: 1, code: -32000, message: 'no', error: {} }
const none: Reply = { ...head, kind: 'none', why: 'timeout' }
const http: HttpReply = {
  status: 500,
  headers: [],
  contentType: '',
  body: '',
  events: [],
  ended: 'complete',
  frames: [],
}
const httpError: Reply = { ...head, kind: 'http-error', http }
const empty: Reply = { ...head, kind: 'http-error', http: { ...http, status: 200 } }

describe('where an error was due', () => {
  test.each([
    ['a result accepts what had to be refused', result, 'accepted'],
    ['another error has the wrong code', error, 'wrong-code'],
    ['an HTTP answer alone has the wrong status', httpError, 'wrong-status'],
    ['with a status of success and no message the target is silent', empty, 'silent'],
    ['without an answer the target is silent', none, 'silent'],
  ])('%s', (_, reply, kind) => {
    expect(refusalFault(reply)).toBe(kind)
  })
})

describe('where a result with a member was due', () => {
  test('a result without it lacks it', () => {
    expect(memberFault(result, 'prompts')).toBe('missing')
  })

  test('a result that has it has it with the wrong type', () => {
    expect(memberFault(result, 'tools')).toBe('wrong-type')
  })

  test.each([
    ['an error refuses what had to be accepted', error, 'refused'],
    ['an HTTP answer alone has the wrong status', httpError, 'wrong-status'],
    ['with a status of success and no message the target is silent', empty, 'silent'],
    ['without an answer the target is silent', none, 'silent'],
  ])('%s', (_, reply, kind) => {
    expect(memberFault(reply, 'tools')).toBe(kind)
  })
})
