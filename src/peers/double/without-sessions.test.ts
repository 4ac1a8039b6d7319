import { describe, expect, test } from 'vitest'
import { META } from '../../spec/request-metadata.ts'
import type { Json, JsonObject } from '../../wire/json-rpc.ts'
import { withoutSessions } from './without-sessions.ts'

const META_OF_ALL: JsonObject = {
  [META.version]: '2026-07-28',
  [META.capabilities]: { roots: {} },
  [META.clientInfo]: { name: 'x', version: '1' },
}

const call = (name: string, meta: JsonObject = META_OF_ALL): JsonObject => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, _meta: meta },
})

const headers = (more: Record<string, string> = {}) => {
  const all: Record<string, string> = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', ...more }
  return (name: string): string | undefined => all[name]
}

describe('a server without sessions', () => {
  test('refuses a request that does not say what it has to, and one in another version', () => {
    const codeOf = (message: JsonObject): number | undefined => withoutSessions.refuses({}, message, undefined)?.code
    expect(codeOf(call('a'))).toBeUndefined()
    for (const meta of [{}, { [META.version]: '2026-07-28' }, { ...META_OF_ALL, [META.capabilities]: [] as Json }])
      expect(codeOf(call('a', meta))).toBe(-32602)
    expect(withoutSessions.refuses({}, call('a', { ...META_OF_ALL, [META.version]: '2099-01-01' }), undefined)).toEqual(
      {
        code: -32022,
        message: 'Unsupported protocol version',
        data: { supported: ['2026-07-28'], requested: '2099-01-01' },
      },
    )
  })

  test('tells a client that wants a session which versions there are', () => {
    const initialize = { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25' } }
    expect(withoutSessions.refuses({}, initialize, undefined)).toMatchObject({
      code: -32022,
      data: { supported: ['2026-07-28'], requested: '2025-11-25' },
    })
  })

  test('refuses a request whose head does not repeat it', () => {
    const problemOf = (head: (name: string) => string | undefined, name = 'a'): string | undefined =>
      withoutSessions.refuses({}, call(name), head)?.message
    expect(problemOf(headers({ 'mcp-name': 'a' }))).toBeUndefined()
    expect(problemOf(headers({ 'mcp-name': '=?base64?w7Y=?=' }), 'ö')).toBeUndefined()
    expect(problemOf(headers())).toBe('Mcp-Name is missing')
    expect(problemOf(headers({ 'mcp-name': 'A' }))).toBe('Mcp-Name differs from the message')
    expect(problemOf(headers({ 'mcp-name': 'a', 'mcp-protocol-version': '2025-11-25' }))).toBe(
      'MCP-Protocol-Version differs from the message',
    )
  })

  test('knows of the client what its requests say', () => {
    expect(withoutSessions.introduces(call('a'), {})).toEqual({
      protocolVersion: '2026-07-28',
      capabilities: { roots: {} },
      clientInfo: { name: 'x', version: '1' },
    })
    expect(withoutSessions.introduces({ jsonrpc: '2.0', method: 'notifications/initialized' }, {})).toBeUndefined()
  })

  test('puts into each result what it needs, where a script has put nothing else', () => {
    const serverInfo = { [META.serverInfo]: { name: 'mcp-conformance', version: '0.1.0' } }
    expect(withoutSessions.complete({}, 'tools/list', { tools: [] })).toEqual({
      resultType: 'complete',
      ttlMs: 0,
      cacheScope: 'private',
      tools: [],
      _meta: serverInfo,
    })
    expect(withoutSessions.complete({}, 'tools/call', { resultType: 'x', content: [] })).toEqual({
      resultType: 'x',
      content: [],
      _meta: serverInfo,
    })
  })
})
