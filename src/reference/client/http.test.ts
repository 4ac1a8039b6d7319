import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { isObject, type JsonObject, result } from '../../wire/json-rpc.ts'
import { untampered } from '../outgoing.ts'
import { type ClientPolicies, correctClient } from './policies.ts'
import { runClient } from './run.ts'

interface Seen {
  at: number
  method: string
  headers: IncomingMessage['headers']
  message: JsonObject
}

/** Answers what the script leaves alone: the handshake, and everything else with an empty result. */
type Script = (seen: Seen, response: ServerResponse, earlier: readonly Seen[]) => boolean

/** All that a header may have. */
const SESSION = Array.from({ length: 0x7e - 0x21 + 1 }, (_, place) => String.fromCharCode(0x21 + place)).join('')

async function against(script: Script, steps: JsonObject[], policies: Partial<ClientPolicies> = {}) {
  const all: Seen[] = []
  const server = createServer(async (request, response) => {
    const chunks: Uint8Array[] = []
    for await (const chunk of request) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString()
    const { method = '', headers } = request
    const seen: Seen = { at: performance.now(), method, headers, message: text === '' ? {} : JSON.parse(text) }
    const earlier = [...all]
    all.push(seen)
    if (script(seen, response, earlier)) return
    if (method !== 'POST') response.writeHead(405).end()
    else if (seen.message.id === undefined || seen.message.method === undefined) response.writeHead(202).end()
    else json(response, seen.message, seen.message.method === 'initialize' ? INTRODUCTION : {})
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  let text = ''
  const code = await runClient({ ...correctClient(), ...policies }, untampered, {
    args: [`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`],
    env: { MCP_CONFORMANCE_CONTEXT: JSON.stringify({ name: 'test', client: {}, steps }) },
    out: more => {
      text += more
    },
    launch: () => {
      throw new Error('not over stdio')
    },
  })
  server.closeAllConnections()
  await new Promise(resolve => server.close(resolve))
  const outcomes = text.split('\n').flatMap(line => (line.startsWith('{') ? JSON.parse(line).outcome : []))
  return { code, outcomes, all, of: (method: string) => all.filter(one => one.method === method) }
}

const INTRODUCTION: JsonObject = {
  protocolVersion: '2025-06-18',
  capabilities: { tools: {} },
  serverInfo: { name: 'script', version: '1' },
}

const json = (response: ServerResponse, { id = 0 }: JsonObject, value: JsonObject): void => {
  const headers = { 'Content-Type': 'application/json; charset=utf-8', 'MCP-Session-Id': SESSION }
  response.writeHead(200, headers).end(JSON.stringify(result(id, value)))
}
const stream = (response: ServerResponse, text: string): ServerResponse => {
  response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write(text)
  return response
}
const answer = ({ message }: Seen): string => JSON.stringify(result(message.id ?? 0, {}))
const isPing = ({ message }: Seen): boolean => message.method === 'ping'
const ping = { request: 'ping' }

test('reads every form of an event stream', async () => {
  const { outcomes, of } = await against(
    (seen, response) => {
      if (!isPing(seen)) return false
      const said = JSON.stringify({ jsonrpc: '2.0', id: 's', method: 'ping' })
      const lines = JSON.stringify(result(seen.message.id ?? 0, { text: 'ü€😀' }), null, 1).split('\n')
      const text = [
        ': comment\r\n\r\nid: 1\r\ndata:\r\n\r\nid: 2\r\n\r\nevent: other\r\ndata: {\r\n\r\n',
        `event: message\r\ndata: ${said}\r\n\r\n`,
        ...lines.map(line => `data: ${line}\r\n`),
        '\r\n',
      ].join('')
      const bytes = Buffer.from(text)
      const cut = bytes.indexOf(0xf0) + 2
      stream(response, '')
      response.write(bytes.subarray(0, cut))
      setTimeout(() => response.end(bytes.subarray(cut)), 20)
      return true
    },
    [ping],
  )
  expect(outcomes).toEqual(['result'])
  expect(of('POST').map(({ message }) => message)).toContainEqual(result('s', {}))
})

test('takes up a broken stream with the last id, after the time that the server named', async () => {
  const { outcomes, of } = await against(
    (seen, response, earlier) => {
      if (isPing(seen)) {
        stream(response, 'id: ä 1\nretry: 300\ndata:\n\nid: é 2\n\n')
        setTimeout(() => response.destroy(), 20)
      } else if (seen.headers['last-event-id'] === undefined) return false
      else if (earlier.filter(({ headers }) => headers['last-event-id'] !== undefined).length === 0)
        stream(response, 'id: 3\nretry: 200\ndata: \n\n').end()
      else stream(response, `id: 4\ndata: ${answer(earlier.find(isPing) as Seen)}\n\n`).end()
      return true
    },
    [ping],
  )
  expect(outcomes).toEqual(['result'])
  const resumed = of('GET').filter(({ headers }) => headers['last-event-id'] !== undefined)
  const ids = resumed.map(({ headers }) => Buffer.from(String(headers['last-event-id']), 'latin1').toString())
  expect(ids).toEqual(['é 2', '3'])
  const asked = of('POST').filter(isPing)
  expect(asked).toHaveLength(1)
  expect((resumed[0]?.at ?? 0) - (asked[0]?.at ?? 0)).toBeGreaterThan(290)
  expect((resumed[1]?.at ?? 0) - (resumed[0]?.at ?? 0)).toBeGreaterThan(190)
})

test.each([
  ['a stream without ids', 'data:\n\n'],
  ['half an event', 'id: 1\ndata: {"js'],
])('gives a request up that ends in %s, and goes on', async (_, text) => {
  let pings = 0
  const { outcomes, code } = await against(
    (seen, response) => {
      if (!isPing(seen)) return false
      pings += 1
      if (pings > 1) return false
      stream(response, text)
      setTimeout(() => response.destroy(), 20)
      return true
    },
    [ping, ping],
  )
  expect(outcomes).toEqual(['error', 'result'])
  expect(code).toBe(0)
})

test('sends the session id and the revision that was agreed, byte for byte', async () => {
  const { all } = await against(() => false, [ping])
  for (const { headers } of all.slice(1)) {
    expect(headers['mcp-session-id']).toBe(SESSION)
    expect(headers['mcp-protocol-version']).toBe('2025-06-18')
  }
  expect(all.at(-1)?.method).toBe('DELETE')
})

test('opens the stream of the server again, but not in a hurry', async () => {
  const { of, outcomes } = await against(
    ({ method }, response) => {
      if (method === 'GET') stream(response, '').end()
      return method === 'GET'
    },
    [{ pause: 1_300 }, ping],
  )
  expect(outcomes).toEqual(['result', 'result'])
  expect(of('GET')).toHaveLength(2)
})

test.each([302, 500])('makes an error of HTTP %s, and follows nothing', async status => {
  const { outcomes, all } = await against(
    (seen, response) => {
      if (isPing(seen)) response.writeHead(status, { Location: '/elsewhere' }).end('no')
      return isPing(seen)
    },
    [ping],
  )
  expect(outcomes).toEqual(['error'])
  expect(all.filter(isPing)).toHaveLength(1)
})

test('opens no sessions without end for a server that forgets them all', async () => {
  const { outcomes, all } = await against((seen, response) => {
    if (isPing(seen)) response.writeHead(404).end()
    return isPing(seen)
  }, Array(6).fill(ping))
  expect(outcomes).toEqual(Array(6).fill('error'))
  expect(all.filter(({ message }) => isObject(message) && message.method === 'initialize').length).toBeLessThan(6)
})
