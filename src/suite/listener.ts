/**
 * A place on this machine that a client may be sent to, beside our server: whoever comes is noticed. Over stdio, too, and
 * apart from the endpoint, so that nothing that comes here is taken for a message to it.
 */
import type { ServerDouble } from '../peers/double/double.ts'
import { headerPairs } from '../wire/headers.ts'
import { listen } from '../wire/http-server.ts'
import type { Frame, HeaderList } from '../wire/log.ts'

export interface Hit {
  method: string
  /** path and query */
  target: string
  headers: HeaderList
  frame: Frame
}

export interface ListenerAnswer {
  status: number
  headers: Record<string, string>
  body: string
}

export interface Listener {
  /** The URL of a path here. */
  at(path: string, scheme?: string): string
  /** All that came so far. */
  readonly hits: readonly Hit[]
  /** Connections, also those in which no HTTP was spoken. */
  readonly connections: number
  close(): Promise<void>
}

const PAGE: ListenerAnswer = {
  status: 200,
  headers: { 'Content-Type': 'text/html' },
  body: '<title>Nothing to be done here</title>',
}

/** What comes and what is answered is recorded in the log of the server. */
export async function openListener(
  log: Pick<ServerDouble, 'recordElsewhere'>,
  answer: (hit: Hit) => ListenerAnswer = () => PAGE,
): Promise<Listener> {
  const hits: Hit[] = []
  let connections = 0
  const server = await listen({
    handle({ method = '', url: target = '', rawHeaders }, response) {
      const headers = headerPairs(rawHeaders)
      const frame = log.recordElsewhere({ kind: 'http', from: 'them', start: `${method} ${target}`, headers })
      const hit = { method, target, headers, frame }
      hits.push(hit)
      const { status, headers: more, body } = answer(hit)
      const start = `HTTP/1.1 ${status}`
      log.recordElsewhere({ kind: 'http', from: 'us', start, status, headers: Object.entries(more) })
      response.writeHead(status, more).end(body)
    },
    onConnection() {
      connections += 1
    },
  })
  return {
    at: (path, scheme = 'http') => `${scheme}:${server.origin.slice('http:'.length)}${path}`,
    hits,
    get connections() {
      return connections
    },
    close: () => server.close(),
  }
}
