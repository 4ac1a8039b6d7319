/** Passes bytes on to a port of this host and counts the HTTP requests in them: another tool does not say how many it makes. */
import { type AddressInfo, connect, createServer, type Server } from 'node:net'

export interface CountingRelay {
  port: number
  readonly requests: number
  close(): void
}

const REQUEST_LINE = /^(?:GET|POST|PUT|DELETE|OPTIONS|HEAD|PATCH) \S+ HTTP\/1\.[01]\r$/gm

export const countRequests = (text: string): number => text.match(REQUEST_LINE)?.length ?? 0

export async function startRelay(port: number): Promise<CountingRelay> {
  let requests = 0
  const server: Server = createServer(client => {
    const target = connect({ host: '127.0.0.1', port })
    client.on('data', chunk => {
      requests += countRequests(chunk.toString('latin1'))
    })
    client.pipe(target).pipe(client)
    for (const [one, other] of [
      [client, target],
      [target, client],
    ] as const)
      one.on('error', () => other.destroy()).on('close', () => other.destroy())
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    get requests() {
      return requests
    },
    close: () => server.close(),
  }
}
