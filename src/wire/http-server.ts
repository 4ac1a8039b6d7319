/** An HTTP server of this machine: how we listen, read bodies, and close. It says nothing of MCP. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'

export interface HttpServer {
  readonly origin: string
  close(): Promise<void>
}

export interface HttpServerOptions {
  handle(request: IncomingMessage, response: ServerResponse): void | Promise<void>
  /** any free one, where it is absent */
  port?: number
  /** the address to listen at; loopback, where it is absent */
  host?: string
  /** `handle` threw; else the connection is broken off */
  onFailure?(problem: unknown, request: IncomingMessage, response: ServerResponse): void
  /** what came is no HTTP; else the connection is broken off */
  onBroken?(socket: Duplex): void
  onConnection?(): void
  /** how long an idle connection is kept; Node's own time, where it is absent */
  keepAliveMs?: number
}

export async function listen(options: HttpServerOptions): Promise<HttpServer> {
  const { handle, onFailure = (_problem, _request, response) => response.destroy() } = options
  const server = createServer((request, response) => {
    // Whoever goes away while we write is no fault of ours.
    response.on('error', () => {})
    new Promise<void>(resolve => resolve(handle(request, response))).catch(problem =>
      onFailure(problem, request, response),
    )
  })
  const { onBroken = socket => socket.destroy(), onConnection } = options
  server.on('clientError', (_problem, socket) => onBroken(socket))
  if (onConnection !== undefined) server.on('connection', onConnection)
  if (options.keepAliveMs !== undefined) server.keepAliveTimeout = options.keepAliveMs
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port ?? 0, options.host ?? '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    async close() {
      const closed = new Promise<void>(resolve => server.close(() => resolve()))
      server.closeAllConnections()
      await closed
    },
  }
}

export interface Body {
  /** as they came; joined only by whoever needs that */
  chunks: Buffer[]
  /** false: it is longer than was allowed, and the rest is not read */
  whole: boolean
}

export async function readBody(request: IncomingMessage, maxBytes: number): Promise<Body> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > maxBytes) return { chunks, whole: false }
    chunks.push(chunk)
  }
  return { chunks, whole: true }
}
