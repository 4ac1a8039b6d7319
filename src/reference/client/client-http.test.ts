import { describe, expect, test } from 'vitest'
import { isObject } from '../../wire/json-rpc.ts'
import type { Tamper } from '../outgoing.ts'
import { defaultPolicies } from '../policies.ts'
import { serveHttp } from '../server/http.ts'
import { call, kinds, run, runAgainst } from './trial.ts'

describe('over HTTP', () => {
  test('carries the session and the revision in every request, and ends the session', async () => {
    const ran = await run('http', { scenario: 'initialize' })
    const [first, ...rest] = ran.requests
    expect(first?.headers).toEqual({
      Accept: 'application/json, text/event-stream',
      'Content-Type': 'application/json',
    })
    for (const { headers } of rest) {
      expect(headers['MCP-Session-Id']).toBeDefined()
      expect(headers['MCP-Protocol-Version']).toBe('2025-11-25')
    }
    expect(ran.requests.slice(0, 3).map(({ method }) => method)).toEqual(['POST', 'POST', 'GET'])
    expect(ran.requests.at(-1)?.method).toBe('DELETE')
  })
  test('takes up a stream that the server closed', async () => {
    const ran = await run('http', { steps: [call('test_reconnection')] })
    expect(kinds(ran)).toEqual(['result'])
    const gets = ran.requests.filter(({ method }) => method === 'GET')
    expect(gets[1]?.headers['Last-Event-ID']).toBeDefined()
  })
  test('starts a new session where the server has forgotten it', async () => {
    const server = await serveHttp(defaultPolicies(), forgetOnce())
    const ran = await runAgainst(server.url, [call('test_simple_text'), call('test_simple_text')])
    await server.close()
    expect(kinds(ran)).toEqual(['result', 'result'])
    const opened = ran.requests.filter(({ message }) => isObject(message) && message.method === 'initialize')
    expect(opened).toHaveLength(2)
    expect(opened[1]?.headers).not.toHaveProperty('MCP-Session-Id')
  })
  test.each([400, 404, 405])('looks for the old transport after %s', async status => {
    const ran = await run('http', {
      scenario: 'initialize',
      tamper: refuseAll(status),
      policies: { fallbackWaitMs: 50 },
    })
    expect(ran.code).toBe(1)
    expect(ran.requests.map(({ method }) => method)).toEqual(['POST', 'GET'])
  })
  test('stops where it is not authorized', async () => {
    const ran = await run('http', { scenario: 'initialize', tamper: refuseAll(401) })
    expect(ran.code).toBe(1)
    expect(ran.requests.map(({ method }) => method)).toEqual(['POST'])
  })
  test('goes on without a GET stream', async () => {
    const ran = await run('http', {
      scenario: 'tools_call',
      server: { get: () => ({ status: 405, reason: 'no' }) },
    })
    expect(kinds(ran)).toEqual(['result', 'error'])
  })
})

const refuseAll =
  (status: number): Tamper =>
  out =>
    out.layer === 'http' ? [{ ...out, status, headers: {}, body: '' }] : [out]

function forgetOnce(): Tamper {
  let calls = 0
  return out => {
    if (out.layer !== 'http' || !isObject(out.request.message) || out.request.message.method !== 'tools/call')
      return [out]
    calls += 1
    return calls === 2 ? [{ ...out, status: 404, headers: {}, body: '' }] : [out]
  }
}
