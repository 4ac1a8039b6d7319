/** The double behind an HTTP endpoint of this machine (basic/transports#streamable-http). */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { headerValue } from '../../wire/http.ts'
import { isObject, isResponse, type JsonObject, shapeOf } from '../../wire/json-rpc.ts'
import { readLine } from '../../wire/lines.ts'
import type { Frame, FrameContext, HeaderList, MessageFrame, WireLog } from '../../wire/log.ts'
import type { HttpManners, HttpSeen, Responder } from './double.ts'
import { createHttpStream, type HttpStream } from './http-stream.ts'
import { createPostMouth } from './post-mouth.ts'
import { respond } from './responder.ts'
import type { Mouth, Stage, Talk } from './stage.ts'

/** Bodies beyond this are not read to their end. */
const MAX_BODY_BYTES = 16 * 1024 * 1024
/** A client that sends more than this in one start goes round in circles, or floods us: it is judged by what it sent so far. */
const MAX_REQUESTS = 5_000

export interface HttpDouble {
  readonly url: string
  readonly requests: readonly HttpSeen[]
  close(): Promise<void>
}

export async function serveHttpDouble(
  stage: Stage,
  manners: HttpManners,
  log: WireLog,
  base: FrameContext,
): Promise<HttpDouble> {
  const requests: HttpSeen[] = []
  const streams: HttpStream[] = []
  const gets = new Map<Talk, HttpStream[]>()
  const ended = new Set<Talk>()
  let exchanges = 0

  const newStream = (context: FrameContext): HttpStream => {
    const stream = createHttpStream(streams.length + 1, manners, log, context)
    streams.push(stream)
    return stream
  }
  const getsOf = (talk: Talk): HttpStream[] => gets.get(talk) ?? []
  const openGet = (talk: Talk): HttpStream | undefined => getsOf(talk).find(stream => stream.connected)

  /** The conversation that a request belongs to: by its session id, else the newest one, which then lacks it, unless the client has ended that. */
  const talkOf = (headers: HeaderList): Talk | undefined => {
    const id = headerValue(headers, 'mcp-session-id')
    return (
      (id === undefined ? undefined : stage.talks.find(talk => talk.sessionId === id)) ??
      stage.talks.findLast(talk => !ended.has(talk))
    )
  }
  const unsolicited = (talk: () => Talk): Mouth => ({
    say: async (payload, _json, options) => {
      const stream = openGet(talk())
      return stream === undefined ? false : stream.message(String(payload), options)
    },
    raw: async bytes => (await openGet(talk())?.raw(bytes)) ?? false,
  })
  const begin = (hello: JsonObject): Talk => {
    const session = `${base.session}.${stage.talks.length + 1}`
    const talk: Talk = stage.begin({
      session,
      sessionId: manners.sessionId(),
      context: { ...base, session },
      hello,
      version: stage.versionFor(hello),
      mouth: unsolicited(() => talk),
      listening: () => openGet(talk) !== undefined,
      listened: async withinMs => (await stage.found(() => openGet(talk), withinMs)) !== undefined,
      hangUp: async () => {
        for (const stream of getsOf(talk)) await stream.close()
      },
      ended: () => ended.has(talk),
    })
    return talk
  }

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    exchanges += 1
    if (exchanges > MAX_REQUESTS) {
      if (exchanges === MAX_REQUESTS + 1) log.add({ ...base, kind: 'end', why: 'failed', detail: TOO_MANY })
      response.writeHead(503).end()
      return
    }
    const exchange = exchanges
    const { method = '', url: target = '/' } = request
    const headers = pairs(request.rawHeaders)
    const bytes = await readBody(request)
    const line = bytes.length === 0 ? undefined : readLine(bytes)
    const json = line?.json
    const opens = method === 'POST' && isObject(json) && json.method === 'initialize'
    const talk = opens ? begin(isObject(json.params) ? json.params : {}) : talkOf(headers)
    const context: FrameContext = { ...(talk?.context ?? { ...base, session: `${base.session}.0` }), exchange }
    const frames: Frame[] = [log.add({ ...context, kind: 'http', from: 'them', start: `${method} ${target}`, headers })]
    let message: MessageFrame | undefined
    if (line !== undefined) {
      if (method === 'POST' || json !== undefined) {
        message = log.add({ ...context, kind: 'message', from: 'them', ...line }) as MessageFrame
        frames.push(message)
      } else {
        frames.push(log.add({ ...context, kind: 'body', from: 'them', text: line.text, length: bytes.length }))
      }
    }
    const seen: HttpSeen = {
      method,
      target,
      headers,
      body: line?.text ?? '',
      ...(json === undefined ? {} : { json }),
      conversation: talk,
      at: frames[0]?.at ?? 0,
      frames,
      session: context.session,
    }
    requests.push(seen)
    const responder = respond(response, log, context)
    if ((await manners.intercept?.(seen, responder)) === true) {
      if (message !== undefined) stage.note(message)
      return
    }
    const path = new URL(target, 'http://localhost').pathname
    if (path !== manners.path) return answer(responder, 404)
    const id = headerValue(headers, 'mcp-session-id')
    const unknown =
      id !== undefined && !opens && !stage.talks.some(one => one.sessionId === id && !one.forgotten && !ended.has(one))
    if (unknown) {
      if (message !== undefined) stage.note(message)
      return answer(responder, manners.unknownSession, 'Session not found')
    }
    if (method === 'POST') return post(talk, message, context, response, responder, opens)
    if (method === 'GET') return get(talk, headers, frames[0] as Frame, context, response, responder)
    if (method === 'DELETE' && talk !== undefined) {
      if (manners.deletion < 300) ended.add(talk)
      return answer(responder, manners.deletion)
    }
    answer(responder, 405)
  }
  const post = async (
    talk: Talk | undefined,
    frame: MessageFrame | undefined,
    context: FrameContext,
    response: ServerResponse,
    responder: Responder,
    opens: boolean,
  ): Promise<void> => {
    if (frame?.json === undefined) {
      if (frame !== undefined) stage.note(frame)
      return answer(responder, 400, 'not JSON')
    }
    const parts = Array.isArray(frame.json) ? frame.json : [frame.json]
    const asks = parts.filter(part => shapeOf(part) === 'request')
    if (talk === undefined) {
      // Something came in front of any `initialize`: it is seen, and refused.
      stage.note(frame)
      return asks.length === 0 ? answer(responder, manners.acceptedStatus) : answer(responder, 400, 'not initialized')
    }
    const head: HeaderList = opens && talk.sessionId !== undefined ? [['MCP-Session-Id', talk.sessionId]] : []
    const mouths = createPostMouth({ manners, newStream }, head, asks.length, context, response, responder)
    if (asks.length === 0) {
      const known = parts.every(part => isResponse(shapeOf(part)) || shapeOf(part) === 'notification')
      answer(responder, known ? manners.acceptedStatus : 400)
    }
    stage.receive(talk, frame, mouths)
  }
  const get = async (
    talk: Talk | undefined,
    headers: HeaderList,
    frame: Frame,
    context: FrameContext,
    response: ServerResponse,
    responder: Responder,
  ): Promise<void> => {
    if (talk === undefined) return answer(responder, 400, 'not initialized')
    const lastEventId = headerValue(headers, 'last-event-id')
    const resumes = lastEventId === undefined ? undefined : streams.find(stream => stream.owns(lastEventId))
    if (resumes !== undefined && lastEventId !== undefined) {
      resumes.attach(response, context, { after: { lastEventId, frame } })
      return
    }
    if (manners.get !== 'stream') return answer(responder, manners.get)
    const stream = newStream(context)
    gets.set(talk, [...getsOf(talk), stream])
    stream.attach(response, context)
    stage.stirred()
  }
  const server = createServer((request, response) => {
    response.on('error', () => {})
    handle(request, response).catch(() => response.destroy())
  })
  // A client that is slow to use a connection again must not meet one that we are closing.
  server.keepAliveTimeout = 60_000
  server.on('clientError', (_error, socket) => socket.destroy())
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}${manners.path}`,
    requests,
    async close() {
      const closed = new Promise<void>(resolve => server.close(() => resolve()))
      server.closeAllConnections()
      await closed
    },
  }
}

const TOO_MANY = `more than ${MAX_REQUESTS} requests came; all others are answered 503 and not looked at`

const answer = (responder: Responder, status: number, text = ''): void => {
  responder.head(status, text === '' ? [] : [['Content-Type', 'text/plain']])
  responder.end(text)
}

function pairs(raw: readonly string[]): HeaderList {
  const list: HeaderList = []
  for (let i = 0; i + 1 < raw.length; i += 2) list.push([raw[i] as string, raw[i + 1] as string])
  return list
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > MAX_BODY_BYTES) break
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
