import { describe, expect, test } from 'vitest'
import { headIn, type Meaning, meaningOf, NO_HEAD, type PostAnswer, refusalIn } from './http-answer.ts'

const answer = (changes: Partial<PostAnswer>): PostAnswer => ({ ...NO_HEAD, text: '', broken: undefined, ...changes })

describe('the answer to a POST', () => {
  test.each<[string, Partial<PostAnswer>, Meaning]>([
    ['a body', { status: 200, text: '{}' }, 'message'],
    ['a body of blanks', { status: 200, text: ' \n' }, 'empty'],
    ['202, whatever the body is', { status: 202, text: '{}' }, 'accepted'],
    ['a body that is cut off', { status: 200, text: '{', broken: 'reset' }, 'empty'],
    ['no head at all', { broken: 'refused' }, 'empty'],
    ['a place to go to', { status: 307, location: '/x' }, 'moved'],
    ['a redirect to nowhere', { status: 304 }, 'empty'],
    ['an error that is cut off', { status: 500, broken: 'reset' }, 'refused'],
  ])('with %s is understood', (_, changes, meaning) => {
    expect(meaningOf(answer(changes))).toBe(meaning)
  })
  test('has a media type without parameters, and a place', () => {
    const headers: [string, string][] = [
      ['content-type', 'Application/JSON; charset=utf-8'],
      ['LOCATION', '/x'],
    ]
    expect(headIn({ status: 301, statusText: '', headers })).toEqual({
      status: 301,
      type: 'application/json',
      location: '/x',
    })
  })
})

describe('a refusal', () => {
  test('says what its JSON-RPC error says', () => {
    const text = JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32600, message: 'no' } })
    expect(refusalIn(400, text)).toMatchObject({ kind: 'error', code: -32600, message: 'no' })
  })
  test.each(['', 'no', '[]', '{"error":"no"}'])('without one is known by its status: %j', text => {
    expect(refusalIn(500, text)).toMatchObject({ kind: 'failed', why: 'lost', message: 'HTTP 500' })
  })
  test('by 401 is one of authorization', () => {
    expect(refusalIn(401, '{"error":{"code":1}}')).toMatchObject({ kind: 'failed', why: 'unauthorized' })
  })
})
