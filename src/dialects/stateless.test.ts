import { describe, expect, test } from 'vitest'
import { at } from '../wire/json-rpc.ts'
import type { Conversation, Hello } from './family.ts'
import { stateless } from './stateless.ts'

const converse = (hello: Hello = {}, via: 'stdio' | 'http' = 'http'): Conversation =>
  stateless.converse({ revision: '2026-07-28', via, hello })

const VERSION = 'io.modelcontextprotocol/protocolVersion'
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities'
const CLIENT = 'io.modelcontextprotocol/clientInfo'

describe('a conversation without a session', () => {
  test('says in each request which version it is in, who asks and what the asker can do', () => {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    const sent = converse({ capabilities: { elicitation: {} } }).decorate(message)
    expect(at(sent, 'params', '_meta')).toMatchObject({
      [VERSION]: '2026-07-28',
      [CAPABILITIES]: { elicitation: {} },
      [CLIENT]: { name: 'mcp-conformance' },
    })
    expect(message).toEqual({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
  })

  test('keeps what the caller put into _meta, so that a fault stays a fault', () => {
    const meta = { [VERSION]: '1900-01-01', [CAPABILITIES]: undefined, progressToken: 'p' }
    const sent = converse().decorate({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/list',
      params: { cursor: 'c', _meta: meta },
    })
    const text = JSON.parse(JSON.stringify(sent))
    expect(text.params.cursor).toBe('c')
    expect(text.params._meta).toMatchObject({ [VERSION]: '1900-01-01', progressToken: 'p' })
    expect(text.params._meta).not.toHaveProperty([CAPABILITIES])
  })

  test('leaves notifications alone, and params that are no object', () => {
    const notification = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }
    expect(converse().decorate(notification)).toBe(notification)
    const odd = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: ['a'] }
    expect(converse().decorate(odd)).toBe(odd)
  })

  test('describes the server by the answer to server/discover', () => {
    const conversation = converse()
    conversation.agree({
      supportedVersions: ['2026-07-28', 7],
      capabilities: { tools: {} },
      instructions: 'be kind',
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'x', version: '1' } },
    })
    expect(conversation.description).toEqual({
      protocolVersion: '2026-07-28',
      versions: ['2026-07-28'],
      capabilities: { tools: {} },
      serverInfo: { name: 'x', version: '1' },
      instructions: 'be kind',
    })
  })

  test('has no session, whatever a server sends along, and nothing to end', () => {
    const conversation = converse()
    conversation.agree({ capabilities: {} }, [['mcp-session-id', 'abc']])
    expect([conversation.sessionId, conversation.farewell]).toEqual([undefined, undefined])
    expect(conversation.headers(() => undefined)).toEqual([['MCP-Protocol-Version', '2026-07-28']])
  })

  test('cancels by closing the stream of the answer over HTTP, and by a notification over stdio', () => {
    expect(converse().cancel(7)).toEqual({ by: 'closing' })
    expect(converse({}, 'stdio').cancel(7)).toMatchObject({ by: 'notification', params: { requestId: 7 } })
  })

  test('watches by a request that stays open, and never resumes', () => {
    expect(converse().watch({ toolsListChanged: true })).toEqual({
      by: 'request',
      call: { method: 'subscriptions/listen', params: { notifications: { toolsListChanged: true } } },
    })
    expect(converse().resume('e1')).toBeUndefined()
  })

  test('mirrors arguments into headers once it has seen the tool', () => {
    const conversation = converse()
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'sql', arguments: { region: 'eu' } } }
    expect(conversation.headers(() => call)).not.toContainEqual(['Mcp-Param-Region', 'eu'])
    const inputSchema = { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } }
    conversation.learn({ jsonrpc: '2.0', id: 0, result: { tools: [{ name: 'sql', inputSchema }] } })
    expect(conversation.headers(() => call)).toContainEqual(['Mcp-Param-Region', 'eu'])
  })
})
