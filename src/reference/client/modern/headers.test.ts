import { expect, test } from 'vitest'
import { correctClient } from '../policies.ts'
import { mirrored } from './headers.ts'
import { overHttp } from './over-http.ts'
import { correctModern } from './rules.ts'

const call = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'größe', _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } },
}

test('the header fields repeat the method and what it is about, in base64 where it is no plain text', () => {
  expect(mirrored(call)).toEqual({ 'Mcp-Method': 'tools/call', 'Mcp-Name': '=?base64?Z3LDtsOfZQ==?=' })
  expect(mirrored({ method: 'tools/list' })).toEqual({ 'Mcp-Method': 'tools/list' })
  expect(mirrored(undefined)).toEqual({})
})

test('the version in the head is that of the message, whatever was agreed', () => {
  const policies = overHttp(correctClient())
  const view = {
    method: 'POST',
    message: call,
    lastEventId: undefined,
    sessionId: undefined,
    previousId: undefined,
  } as const
  expect(policies.versionHeader({ ...view, version: '2025-11-25' })).toBe('2026-07-28')
})

test('of the versions that a server names the client takes one that it speaks', () => {
  const { chooses } = correctModern()
  expect(chooses(['2099-01-01', '2026-07-28', '2025-11-25'])).toBe('2026-07-28')
  expect(chooses(['2025-11-25', 7])).toBeUndefined()
})
