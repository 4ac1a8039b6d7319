import { describe, expect, test } from 'vitest'
import { mirroredHeaders, parameterHeaders } from './mirrored-headers.ts'

const none = (): undefined => undefined

describe('the header fields of a message', () => {
  test('repeat its version, its method and what it is about', () => {
    const meta = { 'io.modelcontextprotocol/protocolVersion': '1900-01-01' }
    const read = { jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri: 'file:///a b', _meta: meta } }
    expect(mirroredHeaders(read, '2026-07-28', none)).toEqual([
      ['MCP-Protocol-Version', '1900-01-01'],
      ['Mcp-Method', 'resources/read'],
      ['Mcp-Name', 'file:///a b'],
    ])
  })

  test('say the version of the conversation where the message says none', () => {
    expect(mirroredHeaders({ method: 'tools/list' }, '2026-07-28', none)).toEqual([
      ['MCP-Protocol-Version', '2026-07-28'],
      ['Mcp-Method', 'tools/list'],
    ])
    expect(mirroredHeaders('no message', '2026-07-28', none)).toEqual([['MCP-Protocol-Version', '2026-07-28']])
  })
})

describe('arguments in header fields', () => {
  const tool = {
    name: 'sql',
    inputSchema: {
      properties: {
        region: { type: 'string', 'x-mcp-header': 'Region' },
        limits: { properties: { rows: { type: 'integer', 'x-mcp-header': 'Rows' } } },
        dry: { type: 'boolean', 'x-mcp-header': 'Dry' },
        list: { items: { 'x-mcp-header': 'Never' } },
        odd: { 'x-mcp-header': 'no token' },
      },
    },
  }

  test('are found by properties alone, also inside of objects', () => {
    const values = { region: 'eu', limits: { rows: -7 }, dry: false, list: ['a'], odd: 'b' }
    expect(parameterHeaders(tool, values)).toEqual([
      ['Mcp-Param-Region', 'eu'],
      ['Mcp-Param-Rows', '-7'],
      ['Mcp-Param-Dry', 'false'],
    ])
  })

  test('are left out where the argument is absent or null', () => {
    expect(parameterHeaders(tool, { region: null })).toEqual([])
    expect(parameterHeaders(undefined, { region: 'eu' })).toEqual([])
  })
})
