import { describe, expect, test } from 'vitest'
import type { Conversation, Hello } from './family.ts'
import { stateful } from './stateful.ts'

const converse = (hello: Hello = {}, via: 'stdio' | 'http' = 'http'): Conversation =>
  stateful.converse({ revision: '2025-11-25', via, hello })

const headersOf = (conversation: Conversation): unknown => conversation.headers(() => undefined)

describe('a conversation with a session', () => {
  test('is opened by initialize, with what the scenario says of us', () => {
    const { opening } = converse({ protocolVersion: '1900-01-01', capabilities: { roots: {} } })
    expect(opening.method).toBe('initialize')
    expect(opening.params).toMatchObject({
      protocolVersion: '1900-01-01',
      capabilities: { roots: {} },
      clientInfo: { name: 'mcp-conformance' },
    })
  })

  test('has no headers of its own before anything is agreed, and then names session and version', () => {
    const conversation = converse()
    expect(headersOf(conversation)).toEqual([])
    conversation.agree({ protocolVersion: '2025-06-18', capabilities: {} }, [['mcp-session-id', 'abc']])
    expect(headersOf(conversation)).toEqual([
      ['MCP-Session-Id', 'abc'],
      ['MCP-Protocol-Version', '2025-06-18'],
    ])
    expect(conversation.revision).toBe('2025-06-18')
    expect(conversation.farewell).toBe('DELETE')
  })

  test('names no version under revisions that had no such header, and repeats one that nobody knows', () => {
    const conversation = converse()
    conversation.agree({ protocolVersion: '2025-03-26' })
    expect(headersOf(conversation)).toEqual([])
    conversation.agree({ protocolVersion: '2099-01-01' })
    expect(headersOf(conversation)).toEqual([['MCP-Protocol-Version', '2099-01-01']])
    expect(conversation.revision).toBe('2025-11-25')
    expect(conversation.farewell).toBeUndefined()
  })

  test('leaves messages as they are', () => {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    expect(converse().decorate(message)).toBe(message)
  })

  test('cancels by a notification over either transport, and resumes a stream by the last event id', () => {
    for (const via of ['stdio', 'http'] as const) {
      expect(converse({}, via).cancel(7, 'enough')).toEqual({
        by: 'notification',
        method: 'notifications/cancelled',
        params: { requestId: 7, reason: 'enough' },
      })
    }
    expect(converse().resume('e1')).toEqual([['Last-Event-ID', 'e1']])
  })

  test('watches on a GET stream, where there is HTTP', () => {
    expect(converse().watch({})).toEqual({ by: 'get', headers: [] })
    expect(converse({}, 'stdio').watch({})).toEqual({ by: 'reading' })
  })

  test('reads an answer of any shape without trusting it', () => {
    const conversation = converse()
    conversation.agree({ protocolVersion: 7, capabilities: 'all', serverInfo: { name: 'x' } })
    expect(conversation.description).toEqual({ versions: [], capabilities: {}, serverInfo: { name: 'x' } })
    conversation.agree(null)
    expect(conversation.description).toEqual({ versions: [], capabilities: {} })
  })
})
