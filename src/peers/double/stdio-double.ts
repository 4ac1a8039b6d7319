/** The double behind stdin and stdout of a process that the client starts; the relay is its mouth (basic/transports#stdio). */
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { keepClock } from '../../wire/clock.ts'
import { codes, failure, isObject, isRequestId, type JsonObject, parseJson, shapeOf } from '../../wire/json-rpc.ts'
import { createLineReader } from '../../wire/lines.ts'
import type { FrameContext, MessageFrame, WireLog } from '../../wire/log.ts'
import { answerText } from './answers.ts'
import type { SendOptions, StdioManners } from './double.ts'
import { type FromRelay, MAX_ORDER_BYTES, type ToRelay } from './relay.ts'
import type { CallMouth, Mouth, Stage, Talk } from './stage.ts'

export interface StdioDouble {
  /** where the relay connects */
  readonly path: string
  readonly launches: number
  close(): Promise<void>
}

export async function serveStdioDouble(
  stage: Stage,
  manners: StdioManners,
  log: WireLog,
  base: FrameContext,
): Promise<StdioDouble> {
  const sockets = new Set<Socket>()
  let launches = 0
  let closing = false
  const server = createServer(socket => {
    launches += 1
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    const label = `${base.session}.${launches}`
    attend(socket, stage, manners, log, { ...base, session: label, process: label }, () => closing)
  })
  const folder = process.platform === 'win32' ? undefined : mkdtempSync(join(tmpdir(), 'mcp-conformance-'))
  const path = folder === undefined ? `\\\\.\\pipe\\mcp-conformance-${process.pid}-${serial()}` : join(folder, 'relay')
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, resolve)
  })
  return {
    path,
    get launches() {
      return launches
    },
    async close() {
      closing = true
      for (const socket of sockets) socket.destroy()
      await new Promise<void>(resolve => server.close(() => resolve()))
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
    },
  }
}

let pipes = 0
const serial = (): number => {
  pipes += 1
  return pipes
}

/** A client that sends more than this in one session floods us: our server ends, as if it had crashed. */
const MAX_MESSAGES = 20_000

/** One start of the server by the client. */
function attend(
  socket: Socket,
  stage: Stage,
  manners: StdioManners,
  log: WireLog,
  context: FrameContext,
  isOurs: () => boolean,
): void {
  let talk: Talk | undefined
  let stdinEnded = false
  let exited = false
  let outputClosed = false
  const order = (message: ToRelay): boolean => {
    if (socket.destroyed || exited) return false
    socket.write(`${JSON.stringify(message)}\n`)
    return true
  }
  const exit = (code: number): void => {
    if (exited) return
    order({ exit: code })
    exited = true
    log.add({ ...context, kind: 'end', why: 'exited', code, detail: 'our server has exited' })
  }
  const write = (text: string | Uint8Array): boolean =>
    !outputClosed && order({ out: Buffer.from(text).toString('base64') })
  const mouth: Mouth = {
    async say(payload, json, options: SendOptions) {
      const text = String(payload)
      const known = json ?? parseJson(text)
      log.add({
        ...context,
        kind: 'message',
        from: 'us',
        text,
        ...(known === undefined ? {} : { json: known }),
        ...(options.intended === undefined ? {} : { intended: options.intended }),
      })
      return write(`${text}\n`)
    },
    async raw(bytes, options) {
      const text = Buffer.from(bytes).toString('utf8')
      log.add({ ...context, kind: 'message', from: 'us', text, intended: options.intended ?? 'fault' })
      return write(bytes)
    },
  }
  const callMouth = (): CallMouth => ({
    ...mouth,
    stream: () => undefined,
    release() {},
    async finish(outcome, request) {
      const texts = answerText(outcome, request)
      if (!Array.isArray(texts)) return
      for (const text of texts) await mouth.say(text, undefined, {})
    },
  })
  const begin = (hello: JsonObject): Talk =>
    stage.begin({
      session: context.session,
      sessionId: undefined,
      context,
      hello,
      version: stage.versionFor(hello),
      mouth,
      listening: () => !socket.destroyed && !exited,
      listened: async () => !socket.destroyed && !exited,
      async hangUp() {
        outputClosed = true
        order({ closeOut: true })
        exit(0)
      },
      ended: () => stdinEnded,
      complain: async text => order({ err: Buffer.from(text).toString('base64') }),
    })
  let heard = 0
  const reader = createLineReader(line => {
    heard += 1
    if (heard > MAX_MESSAGES) {
      if (heard === MAX_MESSAGES + 1) {
        log.add({ ...context, kind: 'end', why: 'failed', detail: `more than ${MAX_MESSAGES} messages came; we end` })
        exit(1)
      }
      return
    }
    const frame = log.add({ ...context, kind: 'message', from: 'them', ...line }) as MessageFrame
    const json = frame.json
    if (talk === undefined && isObject(json) && json.method === 'initialize') {
      talk = begin(isObject(json.params) ? json.params : {})
    }
    if (talk !== undefined) {
      stage.receive(talk, frame, callMouth)
      return
    }
    stage.note(frame)
    // In front of `initialize`: seen, and refused, so that nobody waits.
    if (isObject(json) && shapeOf(json) === 'request' && isRequestId(json.id))
      void mouth.say(JSON.stringify(failure(json.id, codes.invalidRequest, 'not initialized')), undefined, {})
  })
  const hear = (message: FromRelay): void => {
    if ('in' in message) reader.feed(Buffer.from(String(message.in), 'base64'))
    else if ('eof' in message) {
      reader.end()
      if (stdinEnded) return
      stdinEnded = true
      log.add({ ...context, kind: 'end', why: 'closed', detail: 'the client closed stdin' })
      if (manners.onEof === 'exit') exit(0)
    } else if ('signal' in message) {
      log.add({
        ...context,
        kind: 'end',
        why: 'killed',
        signal: String(message.signal),
        detail: `the client sent ${message.signal}`,
      })
      if (manners.onTerminate === 'exit') exit(143)
    }
  }
  // The client knows where the relay connects: what is no message of the relay may come from it, and ends that connection.
  const reports = createLineReader(({ json }) => {
    if (isObject(json)) hear(json as FromRelay)
    else socket.destroy()
  }, MAX_ORDER_BYTES)
  socket.on('error', () => {})
  socket.on(
    'data',
    keepClock((chunk: Buffer) => reports.feed(chunk)),
  )
  const gone = keepClock(() => {
    reader.end()
    if (exited) return
    exited = true
    // It is we who go: nobody has killed anything.
    if (isOurs()) return
    log.add({ ...context, kind: 'end', why: 'killed', signal: 'SIGKILL', detail: 'our server process was killed' })
  })
  socket.once('close', gone)
  if (manners.complains !== '') order({ err: Buffer.from(manners.complains).toString('base64') })
}
