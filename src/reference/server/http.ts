/** The reference server behind one HTTP endpoint (basic/transports#streamable-http). */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { failure, isObject, isResponse, type Json, type JsonObject, shapeOf } from '../../wire/json-rpc.ts'
import type { HttpRequestSeen, Outgoing, Tamper } from '../outgoing.ts'
import type { Policies } from '../policies.ts'
import type { Refusal } from '../views.ts'
import { type Channel, createSession, type ReferenceSession } from './session.ts'
import { createStreams, type Streams } from './streams.ts'
import { createTaskStore } from './tasks.ts'

export interface HttpServer {
  readonly url: string
  close(): Promise<void>
}

interface Held {
  session: ReferenceSession
  streams: Streams
}

/** Bodies beyond this are refused with 413. */
const MAX_BODY_BYTES = 8 * 1024 * 1024
const PATH = '/mcp'

export async function serveHttp(policies: Policies, tamper: Tamper, port = 0): Promise<HttpServer> {
  const store = policies.store()
  const sessions = new Map<string, Held>()
  const tasks = createTaskStore()
  let streamCount = 0

  const create = (id: string): Held => {
    const streams = createStreams(policies, tamper, store, id, () => {
      streamCount += 1
      return `stream${streamCount}`
    })
    const held = { streams, session: createSession(policies, id, streams.unsolicited, tasks) }
    sessions.set(id, held)
    return held
  }
  // Without session ids everybody shares this one.
  const anonymous = create('')

  const find = (request: IncomingMessage, message: Json | undefined): Held | Refusal => {
    const id = request.headers['mcp-session-id']
    const method = request.method ?? ''
    if (typeof id !== 'string') return policies.missingSession(message, method) ?? anonymous
    const held = sessions.get(id)
    if (held === undefined) return policies.unknownSession(id, method) ?? anonymous
    if (held.session.view.user !== userOf(request)) {
      const refused = policies.foreignSession()
      if (refused !== undefined) return refused
    }
    if (held.session.view.ended) return policies.endedSession(id, method) ?? held
    return held
  }
  const userOf = (request: IncomingMessage): string | undefined => {
    const sender = policies.identify(request.headers.authorization)
    return 'status' in sender ? undefined : sender.user
  }
  const guard = (request: IncomingMessage): Refusal | undefined => {
    const { headers, method = '' } = request
    return (
      policies.host(headers.host) ??
      policies.origin(headers.origin) ??
      (method === 'POST' || method === 'GET' ? policies.accept(method, headers.accept) : undefined) ??
      (method === 'POST' ? policies.contentType(headers['content-type']) : undefined)
    )
  }
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (new URL(request.url ?? '/', 'http://localhost').pathname !== PATH) {
      response.writeHead(404).end('Not Found')
      return
    }
    const refused = guard(request)
    if (refused !== undefined) return send(request, response, undefined, refused.status, errorBody(refused.reason))
    const sender = policies.identify(request.headers.authorization)
    if ('status' in sender) {
      response.setHeader('WWW-Authenticate', 'Bearer')
      return send(request, response, undefined, sender.status, errorBody(sender.reason))
    }
    if (request.method === 'POST') return post(request, response)
    if (request.method === 'GET' || request.method === 'DELETE') return other(request, response)
    response.setHeader('Allow', 'POST, GET, DELETE')
    send(request, response, undefined, 405, errorBody('Method Not Allowed'))
  }
  const post = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const text = await readBody(request, policies)
    if (text === undefined) return send(request, response, undefined, 413, errorBody('the body is too large'))
    const message = policies.parse(text)
    if (message === undefined) {
      const answer = policies.onUnparsable(text)
      return send(
        request,
        response,
        undefined,
        policies.malformedStatus,
        answer === undefined ? '' : JSON.stringify(answer),
      )
    }
    const opens = isObject(message) && message.method === 'initialize' && message.id !== undefined
    const id = opens ? policies.sessionIds() : undefined
    const found = opens ? (id === undefined ? anonymous : create(id)) : find(request, message)
    if ('status' in found) return send(request, response, message, found.status, errorBody(found.reason))
    const wrong = opens
      ? undefined
      : policies.versionHeader(header(request, 'mcp-protocol-version'), found.session.view, 'POST')
    if (wrong !== undefined) return send(request, response, message, wrong.status, errorBody(wrong.reason))
    const user = opens ? userOf(request) : undefined
    if (user !== undefined) found.session.view.user = user
    if (opens && id !== undefined) response.setHeader('MCP-Session-Id', id)
    await answer(request, response, message, found)
  }
  const answer = async (
    request: IncomingMessage,
    response: ServerResponse,
    message: Json,
    held: Held,
  ): Promise<void> => {
    const shape = shapeOf(message)
    const batch = shape === 'batch' && policies.batch(held.session.view.version) === 'answer'
    if (shape === 'notification' || isResponse(shape)) {
      const replies: Json[] = []
      await held.session.receive(message, { send: reply => replies.push(reply) })
      const { status, body } = policies.notificationStatus(message as JsonObject)
      const first = replies[0]
      return send(
        request,
        response,
        message,
        first === undefined ? status : 400,
        first === undefined ? body : JSON.stringify(first),
      )
    }
    if (shape !== 'request' && !batch) {
      const refusal = policies.onInvalid(message)
      return send(
        request,
        response,
        message,
        policies.malformedStatus,
        refusal === undefined ? '' : JSON.stringify(refusal),
      )
    }
    if (policies.answerBy(message as JsonObject) === 'json') {
      const channel = jsonChannel(request, response, message)
      await held.session.receive(message, channel)
      channel.finish()
      return
    }
    head(request, response, message, 200, 'text/event-stream')
    const channel = held.streams.post(response)
    await held.session.receive(message, channel)
    if (batch && !response.writableEnded) channel.finish()
  }
  const jsonChannel = (
    request: IncomingMessage,
    response: ServerResponse,
    message: Json,
  ): Channel & { finish(): void } => {
    const said: Json[] = []
    return {
      send(reply, cause) {
        // A JSON answer has room for the response only.
        if (!isResponse(shapeOf(reply)) && !Array.isArray(reply)) return
        for (const out of tamper({ layer: 'message', message: reply, cause, on: 'post' })) {
          said.push((out as Extract<Outgoing, { layer: 'message' }>).message)
        }
      },
      finish() {
        if (said.length > 0) send(request, response, message, 200, said.map(one => JSON.stringify(one)).join('\n'))
      },
    }
  }
  const other = (request: IncomingMessage, response: ServerResponse): void => {
    const method = request.method as 'GET' | 'DELETE'
    const held = find(request, undefined)
    if ('status' in held) {
      send(request, response, undefined, held.status, errorBody(held.reason))
      return
    }
    const view = held.session.view
    const wrong = policies.versionHeader(header(request, 'mcp-protocol-version'), view, method)
    if (wrong !== undefined) {
      send(request, response, undefined, wrong.status, errorBody(wrong.reason))
      return
    }
    if (method === 'DELETE') {
      const { ends, status, leavesStreams } = policies.deletion(view)
      if (ends) {
        view.ended = true
        if (leavesStreams !== true) held.streams.endAll()
      }
      send(request, response, undefined, status, '')
      return
    }
    const closed = policies.get(view) ?? (held.streams.openGets > 0 ? policies.secondGet(view) : undefined)
    if (closed !== undefined) {
      send(request, response, undefined, closed.status, errorBody(closed.reason))
      return
    }
    const last = header(request, 'last-event-id')
    head(request, response, undefined, 200, 'text/event-stream')
    if (last === undefined || !held.streams.resume(response, last)) held.streams.get(response)
  }
  const tampered = (
    request: IncomingMessage,
    message: Json | undefined,
    status: number,
    headers: Record<string, string>,
    body: string,
  ) => {
    const seen: HttpRequestSeen = { method: request.method ?? '', headers: flat(request), message }
    return tamper({ layer: 'http', request: seen, status, headers, body })[0] as
      | Extract<Outgoing, { layer: 'http' }>
      | undefined
  }
  const head = (
    request: IncomingMessage,
    response: ServerResponse,
    message: Json | undefined,
    status: number,
    type: string,
  ): void => {
    const out = tampered(
      request,
      message,
      status,
      { 'Content-Type': type, 'Cache-Control': 'no-cache, no-transform', ...ownHeaders(response) },
      '',
    )
    if (out === undefined) response.destroy()
    else response.writeHead(out.status, out.headers)
  }
  const send = (
    request: IncomingMessage,
    response: ServerResponse,
    message: Json | undefined,
    status: number,
    body: string,
  ): void => {
    const out = tampered(
      request,
      message,
      status,
      { ...(body === '' ? {} : { 'Content-Type': 'application/json' }), ...ownHeaders(response) },
      body,
    )
    if (out === undefined) response.destroy()
    else response.writeHead(out.status, out.headers).end(out.body, policies.encoding)
  }

  const server = createServer((request, response) => {
    handle(request, response).catch((problem: unknown) => {
      if (request.errored !== null) policies.onBrokenRequest()
      if (!response.headersSent) response.writeHead(500)
      response.end(String(problem))
    })
  })
  server.on('clientError', (_problem, socket) => {
    policies.onBrokenRequest()
    if (socket.writable) socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n')
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, policies.bind, resolve)
  })
  const { port: actual } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${actual}${PATH}`, close: () => closeServer(server) }
}

function closeServer(server: Server): Promise<void> {
  return new Promise(resolve => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}

const header = (request: IncomingMessage, name: string): string | undefined => {
  const value = request.headers[name]
  return typeof value === 'string' ? value : undefined
}

const flat = (request: IncomingMessage): Record<string, string> =>
  Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))

const ownHeaders = (response: ServerResponse): Record<string, string> =>
  Object.fromEntries(Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)]))

const errorBody = (reason: string): string => JSON.stringify(failure(undefined, -32000, reason))

async function readBody(request: IncomingMessage, policies: Policies): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request) {
    length += (chunk as Buffer).length
    if (length > MAX_BODY_BYTES) return undefined
    chunks.push(chunk as Buffer)
  }
  return policies.readBody(chunks)
}
