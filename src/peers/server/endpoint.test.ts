import { afterEach, describe, expect, test } from 'vitest'
import type { HttpServer } from '../../wire/http-server.ts'
import type { JsonObject } from '../../wire/json-rpc.ts'
import type { HeaderList } from '../../wire/log.ts'
import { formatEvent } from '../../wire/sse-writer.ts'
import { connectionOf } from './connection.ts'
import { type EndpointOptions, type HttpAnswers, serveEndpoint } from './endpoint.ts'
import { createEventStream } from './event-stream.ts'
import { refuse } from './outcome.ts'
import { createPostChannel, type PostOptions, type ResponseChannel } from './response-channel.ts'

const open: HttpServer[] = []
afterEach(async () => {
  for (const server of open.splice(0)) await server.close()
})

const plain: HttpAnswers = {
  open(exchange, status, headers) {
    exchange.response.writeHead(status, headers.flat())
    return connectionOf(exchange.response)
  },
  answer: (exchange, status, headers, body) => exchange.response.writeHead(status, headers.flat()).end(body),
  refuse: (exchange, { status, reason, headers = [] }) =>
    exchange.response.writeHead(status, headers.flat()).end(reason),
}

async function served(options: Partial<EndpointOptions>): Promise<string> {
  const server = await serveEndpoint({ maxBodyBytes: 1_000, answers: plain, route: () => undefined, ...options })
  open.push(server)
  return server.origin
}

const seen = async (response: Response): Promise<[number, string]> => [response.status, await response.text()]

describe('an endpoint', () => {
  test('takes each request to the handler of its path and method', async () => {
    const origin = await served({
      route: path => (path === '/a' ? { GET: ({ response }) => void response.end('got'), PUT: () => {} } : undefined),
    })
    expect(await seen(await fetch(`${origin}/a?b=c`))).toEqual([200, 'got'])
    expect(await seen(await fetch(`${origin}/b`))).toEqual([404, 'Not Found'])
    const wrong = await fetch(`${origin}/a`, { method: 'POST' })
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, PUT'])
  })

  test('refuses by the head, with the header fields of the refusal', async () => {
    const challenge: HeaderList = [['WWW-Authenticate', 'Bearer scope="x"']]
    const origin = await served({
      route: () => ({ GET: ({ response }) => void response.end('got') }),
      guard: ({ header }) => (header('authorization') === undefined ? refuse(401, 'who?', challenge) : undefined),
    })
    const refused = await fetch(origin)
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer scope="x"'])
    expect(await seen(await fetch(origin, { headers: { Authorization: 'x' } }))).toEqual([200, 'got'])
  })

  test('shows each request to whoever wants to answer it first', async () => {
    const origin = await served({
      arrive({ number, response }) {
        if (number === 1) response.end('answered')
        return number === 1
      },
    })
    expect(await seen(await fetch(origin))).toEqual([200, 'answered'])
    expect((await fetch(origin)).status).toBe(404)
  })
})

/** Answers one POST through a channel. */
async function answered(
  mode: PostOptions['mode'],
  act: (channel: ResponseChannel, request: JsonObject) => Promise<void>,
): Promise<{ status: number; type: string; session: string; text: string }> {
  const origin = await served({
    route: () => ({
      async POST(exchange) {
        exchange.own.push(['MCP-Session-Id', 'its-id'])
        const channel = createPostChannel({
          exchange,
          answers: plain,
          expected: 1,
          contentType: 'application/json',
          mode,
          openStream(connection) {
            const format = (fields: { data?: string }): string => formatEvent(fields, {})
            const carry = (message: unknown) => ({ data: JSON.stringify(message) })
            const stream = createEventStream({ id: 's', kind: 'post', session: '' }, { format, carry })
            stream.attach(connection)
            stream.prime()
            return stream
          },
          deliver: (stream, said) => 'message' in said && stream.message(said.message),
        })
        await act(channel, { jsonrpc: '2.0', id: 7, method: 'x' })
      },
    }),
  })
  const response = await fetch(origin, { method: 'POST' })
  const { status, headers } = response
  const [type = '', session = ''] = ['content-type', 'mcp-session-id'].map(name => headers.get(name) ?? undefined)
  return { status, type, session, text: await response.text() }
}

const RESPONSE = '{"jsonrpc":"2.0","id":7,"result":{}}'
const succeed = (channel: ResponseChannel, request: JsonObject): Promise<void> =>
  channel.respond({ result: {} }, request)
const notifyFirst = async (channel: ResponseChannel, request: JsonObject): Promise<void> => {
  await channel.say({ message: 'news' }, request)
  await succeed(channel, request)
}

describe('the channel of a POST', () => {
  test('answers in one body, with the header fields of the exchange', async () => {
    const expected = { status: 200, type: 'application/json', session: 'its-id', text: RESPONSE }
    expect(await answered('either', succeed)).toEqual(expected)
    expect(await answered('json', succeed)).toEqual(expected)
  })

  test('has no place beside the response in a body', async () => {
    expect((await answered('json', notifyFirst)).text).toBe(RESPONSE)
  })

  test('answers in a stream where something is said before, or where it has to', async () => {
    const text = `data: "news"\n\ndata: ${RESPONSE}\n\n`
    for (const mode of ['either', 'stream', 'late stream'] as const)
      expect(await answered(mode, notifyFirst)).toMatchObject({ type: 'text/event-stream', session: 'its-id', text })
    expect(await answered('late stream', succeed)).toMatchObject({ type: 'text/event-stream' })
  })

  test('refuses below JSON-RPC', async () => {
    const outcome = { http: { status: 503, headers: [['Retry-After', '1']] as HeaderList, body: 'later' } }
    const { status, text } = await answered('either', (channel, request) => channel.respond(outcome, request))
    expect([status, text]).toEqual([503, 'later'])
  })

  test('sends several messages, or a text that is none, in place of a response', async () => {
    const { text } = await answered('either', (channel, request) => channel.respond({ messages: [1, 2] }, request))
    expect(text).toBe('data: 1\n\ndata: 2\n\n')
    expect((await answered('either', (channel, request) => channel.respond({ text: '{' }, request))).text).toBe('{')
  })

  test('ends by an empty stream where it is let go of', async () => {
    const { type, text } = await answered('either', async channel => channel.release())
    expect([type, text]).toEqual(['text/event-stream', ''])
  })
})
