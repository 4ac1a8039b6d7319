import { expect, test } from 'vitest'
import { headersFor } from './http-headers.ts'
import { correctHttp, type HttpView } from './http-rules.ts'

const view = (changes: Partial<HttpView>): HttpView => ({
  method: 'POST',
  message: undefined,
  lastEventId: undefined,
  sessionId: undefined,
  previousId: undefined,
  version: undefined,
  ...changes,
})

test('what is not known yet is left out', () => {
  const initialize = { jsonrpc: '2.0', id: 1, method: 'initialize' }
  expect(headersFor(correctHttp(), view({ message: initialize, previousId: 'old' }))).toEqual({
    Accept: 'application/json, text/event-stream',
    'Content-Type': 'application/json',
  })
})

test('a stream is taken up with the session, the revision and the bytes of the last event id', () => {
  const headers = headersFor(
    correctHttp(),
    view({ method: 'GET', sessionId: 's', version: '2025-11-25', lastEventId: 'é' }),
  )
  expect(headers).toEqual({
    Accept: 'text/event-stream',
    'MCP-Session-Id': 's',
    'MCP-Protocol-Version': '2025-11-25',
    'Last-Event-ID': '\u00c3\u00a9',
  })
})

test('further fields of the rules take the place of the usual ones', () => {
  const rules = { ...correctHttp(), headers: () => ({ Accept: '*/*' }) }
  expect(headersFor(rules, view({ method: 'GET' }))).toEqual({ Accept: '*/*' })
})
