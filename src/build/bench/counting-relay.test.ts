import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { countRequests, startRelay } from './counting-relay.ts'

test('a request is counted by its first line, and not by what its body says', () => {
  expect(countRequests('POST /mcp HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1 is no line of its own')).toBe(1)
})

test('the relay passes requests on and counts them', async () => {
  const server = createServer((_request, response) => response.end('served'))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const relay = await startRelay((server.address() as AddressInfo).port)
  const answers = [1, 2].map(async () => (await fetch(`http://127.0.0.1:${relay.port}/`)).text())
  expect(await Promise.all(answers)).toEqual(['served', 'served'])
  expect(relay.requests).toBe(2)
  relay.close()
  server.closeAllConnections()
  server.close()
})
