import { describe, expect, test } from 'vitest'
import { failure, type Json, type JsonObject, result } from '../../wire/json-rpc.ts'
import { call, kinds, request, runScripted } from './trial.ts'

describe('in the hands of an odd server', () => {
  test('has the user open a page that an error demands, and calls again when that is over', async () => {
    let calls = 0
    const ran = await runScripted(
      (message, say) => {
        if (message.method !== 'tools/call') return
        calls += 1
        if (calls === 2) return say(result(message.id as Json, { content: [] }))
        const elicitations = [{ mode: 'url', elicitationId: 'e', url: 'https://example.com/x', message: 'm' }]
        say(failure(message.id as Json, -32042, 'first that', { elicitations }))
        const complete = (elicitationId: string): void =>
          say({ jsonrpc: '2.0', method: 'notifications/elicitation/complete', params: { elicitationId } })
        complete('unknown')
        setTimeout(complete, 20, 'e')
        setTimeout(complete, 30, 'e')
      },
      { steps: [call('x'), { pause: 50 }] },
    )
    expect(kinds(ran)).toEqual(['result', 'result'])
    expect(ran.text).toContain('https://example.com/x')
    expect(calls).toBe(2)
  })
  test('lives with noise', async () => {
    const ran = await runScripted(
      (message, say) => {
        if (message.method !== 'ping') return
        const tell = (method: string, params: Json): void => say({ jsonrpc: '2.0', method, params } as JsonObject)
        for (const params of [null, 5, {}, { requestId: null }, { requestId: {} }, { reason: 5 }]) {
          tell('notifications/cancelled', params)
          tell('notifications/progress', params)
          tell('notifications/x', params)
        }
        tell('notifications/message', { level: 'loud' })
        tell('notifications/tools/list_changed', {})
        say(result('no-such-id', {}))
        say(result(message.id as Json, { extra: 1, _meta: { 'io.modelcontextprotocol/x': null } }))
        say(result(message.id as Json, {}))
        say(failure(undefined, -32700, 'what?'))
        say(failure(null, -32700, 'what?'))
        say([1] as unknown as JsonObject)
        say({ jsonrpc: '2.0', id: null, method: 'ping' } as JsonObject)
        say({ jsonrpc: '2.0', id: 'p', method: 'ping', params: { _meta: { a: 1 } } })
      },
      { steps: [request('ping'), request('ping'), { pause: 20 }] },
    )
    expect(kinds(ran)).toEqual(['result', 'result', 'result'])
    expect(ran.sent.filter(({ method }) => method === undefined)).toEqual(Array(2).fill(result('p', {})))
    expect(ran.code).toBe(0)
  })
  test('answers pings before the handshake is over', async () => {
    const ran = await runScripted(
      (message, say) => {
        if (message.method === 'initialize') for (const id of ['a', 'b']) say({ jsonrpc: '2.0', id, method: 'ping' })
      },
      { steps: [{ pause: 20 }] },
    )
    expect(ran.sent.filter(({ method }) => method === undefined)).toHaveLength(2)
  })
  test('notices that the server has ended', async () => {
    const ran = await runScripted(
      (message, _say, end) => {
        if (message.method === 'tools/list') end()
      },
      { steps: [request('tools/list'), request('ping')] },
    )
    expect(kinds(ran)).toEqual(['error', 'error'])
    expect(ran.code).toBe(1)
  })
  test('lives with broken lists, and with a dialect that nobody knows', async () => {
    const tools = [
      { name: 'echo', inputSchema: { type: 'object' }, icons: [{ src: 5 }, 7] },
      { name: 'ECHO', outputSchema: { $schema: 'https://example.com/no-such-dialect' } },
      null,
      { inputSchema: 5 },
    ] as Json
    const ran = await runScripted(
      (message, say) => {
        if (message.method === 'tools/list') say(result(message.id as Json, { tools, nextCursor: null }))
        if (message.method === 'tools/call')
          say(result(message.id as Json, { content: [], structuredContent: { a: 1 } }))
      },
      { steps: [request('tools/list'), call('echo'), call('ECHO')] },
    )
    expect(kinds(ran)).toEqual(['result', 'result', 'error'])
    expect(ran.outcomes[2]?.message).toContain('dialect')
  })
})
