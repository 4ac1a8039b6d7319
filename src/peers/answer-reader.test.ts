import { describe, expect, test } from 'vitest'
import type { MessageFrame } from '../wire/log.ts'
import { createLog } from '../wire/log.ts'
import { type AnswerReader, createAnswerReader } from './answer-reader.ts'
import { createExchangeRecord } from './exchange-record.ts'

interface Bench {
  answer: AnswerReader
  messages: MessageFrame[]
  stopped: () => number
}

function bench(method = 'POST'): Bench {
  const messages: MessageFrame[] = []
  let stops = 0
  const record = createExchangeRecord(createLog(), { channel: 'mcp', session: 's1' }, method)
  const answer = createAnswerReader(
    record,
    frame => messages.push(frame),
    () => {
      stops += 1
    },
  )
  return { answer, messages, stopped: () => stops }
}

const head = (contentType: string, status = 200): Parameters<AnswerReader['head']>[0] => ({
  status,
  statusText: 'OK',
  headers: [['content-type', contentType]],
})

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

describe('a body', () => {
  test('is one message when it has ended, in however many pieces it came', async () => {
    const { answer, messages } = bench()
    answer.head(head('application/json'))
    answer.data(bytes('{"id":1,'))
    answer.data(bytes('"result":{}}'))
    expect([messages.length, answer.isOver]).toEqual([0, false])
    answer.end()
    expect(messages.map(({ json }) => json)).toEqual([{ id: 1, result: {} }])
    expect(await answer.over).toMatchObject({ ended: 'complete', status: 200, json: { id: 1, result: {} } })
  })

  test('is no message where the transport does not say so and it does not look like one', () => {
    const { answer, messages } = bench()
    answer.head(head('application/json', 401))
    answer.data(bytes('{"error":"invalid_token"}'))
    answer.end()
    expect(messages).toEqual([])
    expect(answer.reply.json).toEqual({ error: 'invalid_token' })
  })

  test('beyond the limit ends the exchange', () => {
    const { answer, stopped } = bench()
    answer.head(head('text/plain'))
    answer.data(new Uint8Array(16 * 1024 * 1024 + 1))
    expect([stopped(), answer.isOver, answer.reply.ended]).toEqual([1, true, 'failed'])
  })
})

describe('a stream', () => {
  test('is read event by event, and keeps the place where it could be taken up again', () => {
    const { answer, messages } = bench()
    let looks = 0
    answer.watch(() => {
      looks += 1
    })
    answer.head(head('text/event-stream; charset=utf-8'))
    answer.data(bytes('id: e1\nretry: 200\ndata: {"method":"x"}\n\nid: e2\nevent: other\ndata: {}\n\n'))
    expect(messages.map(({ json, eventId }) => [json, eventId])).toEqual([[{ method: 'x' }, 'e1']])
    expect(answer.stream).toEqual({ lastEventId: 'e2', retryMs: 200 })
    expect(looks).toBe(4)
  })

  test('that breaks off is over, with what was cut as a flawed message that answers nobody', async () => {
    const { answer, messages } = bench()
    answer.head(head('text/event-stream'))
    answer.data(bytes('data: {"id":1'))
    answer.failed(Object.assign(new Error('reset'), { code: 'ECONNRESET' }), false)
    expect(await answer.over).toMatchObject({ ended: 'failed', error: 'ECONNRESET' })
    expect(messages).toEqual([])
    expect(answer.reply.frames.map(frame => frame.kind)).toEqual(['http', 'sse', 'message', 'end'])
  })
})

test('no answer at all has no head', async () => {
  const { answer } = bench()
  answer.failed(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }), false)
  expect(await answer.headCame).toBeUndefined()
})
