import { describe, expect, test } from 'vitest'
import type { Json } from '../wire/json-rpc.ts'
import type { Frame, MessageFrame } from '../wire/log.ts'
import { readAnswer, withoutAnswer } from './answer.ts'
import type { HttpReply } from './reply.ts'

const frame = (json: Json): MessageFrame => ({
  seq: 1,
  at: 0,
  channel: 'mcp',
  session: 's1',
  kind: 'message',
  from: 'them',
  text: JSON.stringify(json),
  json,
})

const http = (status: number, more: Partial<HttpReply> = {}): HttpReply => ({
  status,
  headers: [],
  contentType: '',
  body: '',
  events: [],
  ended: 'complete',
  frames: [],
  ...more,
})

describe('a message that answers', () => {
  test('is a result or an error, with the id as it came', () => {
    expect(readAnswer(frame({ id: '1', result: { a: 1 } }), 1, [], 5)).toEqual({
      kind: 'result',
      id: '1',
      result: { a: 1 },
      frames: [],
      afterMs: 5,
    })
    expect(readAnswer(frame({ id: 1, error: { code: -1, message: 'no', data: [] } }), 1, [], 5)).toMatchObject({
      kind: 'error',
      code: -1,
      message: 'no',
      data: [],
    })
  })

  test('that is no proper error is one without a code', () => {
    const reply = readAnswer(frame({ id: 1, error: 'no' }), 1, [], 0)
    expect(reply).toMatchObject({ kind: 'error', code: Number.NaN, message: '', error: 'no' })
  })

  test('is picked out of a batch, if need be by a converted id', () => {
    const batch = [
      { id: 1, result: { a: 1 } },
      { id: '2', result: { a: 2 } },
    ]
    expect(readAnswer(frame(batch), 2, [], 0)).toMatchObject({ kind: 'result', result: { a: 2 } })
  })
})

describe('an exchange without an answer', () => {
  test('is closed where no HTTP answer came, and an HTTP error where one did', () => {
    expect(withoutAnswer(http(0, { error: 'ECONNREFUSED' }), [], 0)).toMatchObject({
      kind: 'none',
      why: 'closed',
      detail: 'ECONNREFUSED',
    })
    expect(withoutAnswer(http(404), [], 0)).toMatchObject({ kind: 'http-error', http: { status: 404 } })
  })

  test('is unparsable where something came that might have been one', () => {
    const spoiled: Frame = { ...frame({}), flaw: 'not-json' }
    expect(withoutAnswer(http(200), [spoiled], 0)).toMatchObject({ kind: 'none', why: 'unparsable' })
  })
})
