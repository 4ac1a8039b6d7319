/** A client that is correct at first, and then sends and prints without end. */
import { spawn } from 'node:child_process'

const url = process.argv.at(-1) ?? ''
const words = JSON.parse(process.env.MCP_CONFORMANCE_SERVER_COMMAND ?? '[]') as string[]
const hello = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'flood', version: '1' } },
}
const ready = { jsonrpc: '2.0', method: 'notifications/initialized' }
const ping = (id: number) => ({ jsonrpc: '2.0', id, method: 'ping', params: { _meta: { filler: 'x'.repeat(1_000) } } })

async function overHttp(): Promise<void> {
  const headers: Record<string, string> = {
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
  }
  const post = (message: object): Promise<Response> =>
    fetch(url, { method: 'POST', headers, body: JSON.stringify(message) })
  const opened = await post(hello)
  headers['MCP-Session-Id'] = opened.headers.get('mcp-session-id') ?? ''
  headers['MCP-Protocol-Version'] = '2025-11-25'
  await opened.text()
  await (await post(ready)).text()
  for (let id = 1; ; id += 8) {
    process.stdout.write(`${'noise '.repeat(10_000)}\n`)
    const answers = await Promise.all(Array.from({ length: 8 }, (_, more) => post(ping(id + more))))
    await Promise.all(answers.map(answer => answer.text()))
  }
}

async function overStdio(): Promise<void> {
  const server = spawn(words[0] ?? '', words.slice(1), { stdio: ['pipe', 'pipe', 'inherit'] })
  const say = (message: object): boolean => server.stdin.write(`${JSON.stringify(message)}\n`)
  server.stdin.on('error', () => process.exit(1))
  server.stdout.resume()
  say(hello)
  await new Promise(resolve => setTimeout(resolve, 300))
  say(ready)
  for (let id = 1; ; id += 1) {
    if (id % 100 === 0) process.stdout.write(`${'noise '.repeat(10_000)}\n`)
    if (!say(ping(id))) await new Promise(resolve => server.stdin.once('drain', resolve))
  }
}

await (words.length > 0 ? overStdio() : overHttp())
