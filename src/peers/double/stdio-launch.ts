/** One start of our stdio server by the client: its process, seen through the relay, and the messages that it reads and writes. */
import type { Socket } from 'node:net'
import { keepClock } from '../../wire/clock.ts'
import { codes, isObject, isRequestId, type JsonObject, parseJson, shapeOf } from '../../wire/json-rpc.ts'
import { createLineReader, type Line } from '../../wire/lines.ts'
import type { FrameContext, MessageFrame, WireLog } from '../../wire/log.ts'
import { createLineChannel, type LineOutput } from '../server/line-channel.ts'
import { textOf } from '../server/outcome.ts'
import type { StdioBehaviour } from './behaviour.ts'
import type { SendOptions } from './call.ts'
import type { OpenConversation } from './conversation.ts'
import type { DoubleCore } from './core.ts'
import { type FromRelay, MAX_ORDER_BYTES, type ToRelay } from './relay.ts'

export interface Launch {
  socket: Socket
  core: DoubleCore
  stdio: StdioBehaviour
  log: WireLog
  context: FrameContext
  /** It is we who close the connection. */
  isOurs(): boolean
}

/** A client that sends more than this in one session floods us: our server ends, as if it had crashed. */
const MAX_MESSAGES = 20_000

/** The process that the client has started, as far as the relay does what we say. */
interface ServerProcess {
  readonly isAlive: boolean
  stdinEnded: boolean
  write(bytes: string | Uint8Array): boolean
  complain(text: string): boolean
  closeOutput(): void
  exit(code: number): void
  /** It is gone, without our doing. */
  vanish(): boolean
}

function createProcess({ socket, log, context }: Launch): ServerProcess {
  let exited = false
  let outputClosed = false
  const order = (message: ToRelay): boolean => {
    if (socket.destroyed || exited) return false
    socket.write(`${JSON.stringify(message)}\n`)
    return true
  }
  return {
    get isAlive() {
      return !socket.destroyed && !exited
    },
    stdinEnded: false,
    write: bytes => !outputClosed && order({ out: Buffer.from(bytes).toString('base64') }),
    complain: text => order({ err: Buffer.from(text).toString('base64') }),
    closeOutput() {
      outputClosed = true
      order({ closeOut: true })
    },
    exit(code) {
      if (exited) return
      order({ exit: code })
      exited = true
      log.add({ ...context, kind: 'end', why: 'exited', code, detail: 'our server has exited' })
    },
    vanish() {
      const was = !exited
      exited = true
      return was
    },
  }
}

export function attend(launch: Launch): void {
  const { socket, stdio, log, context } = launch
  const server = createProcess(launch)
  const reader = createLineReader(readMessages(launch, server))
  const hear = (message: FromRelay): void => {
    if ('in' in message) reader.feed(Buffer.from(String(message.in), 'base64'))
    else if ('eof' in message) {
      reader.end()
      if (server.stdinEnded) return
      server.stdinEnded = true
      log.add({ ...context, kind: 'end', why: 'closed', detail: 'the client closed stdin' })
      if (stdio.onEof === 'exit') server.exit(0)
    } else if ('signal' in message) {
      const signal = String(message.signal)
      log.add({ ...context, kind: 'end', why: 'killed', signal, detail: `the client sent ${signal}` })
      if (stdio.onTerminate === 'exit') server.exit(143)
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
    // Where it is we who go, nobody has killed anything.
    if (!server.vanish() || launch.isOurs()) return
    log.add({ ...context, kind: 'end', why: 'killed', signal: 'SIGKILL', detail: 'our server process was killed' })
  })
  socket.once('close', gone)
  if (stdio.complains !== '') server.complain(stdio.complains)
}

/** A function that is given the lines on stdin. */
function readMessages(launch: Launch, server: ServerProcess): (line: Line) => void {
  const { core, log, context } = launch
  const channel = createLineChannel(outputOf(launch, server))
  let conversation: OpenConversation | undefined
  let heard = 0
  return line => {
    // A blank line holds no message.
    if (core.setup.strict === true && line.text.trim() === '') return
    heard += 1
    if (heard > MAX_MESSAGES) {
      if (heard > MAX_MESSAGES + 1) return
      log.add({ ...context, kind: 'end', why: 'failed', detail: `more than ${MAX_MESSAGES} messages came; we end` })
      server.exit(1)
      return
    }
    const frame = log.add({ ...context, kind: 'message', from: 'them', ...line }) as MessageFrame
    const { json } = frame
    const hello = core.era.opening(json, conversation !== undefined)
    if (conversation === undefined && hello !== undefined) conversation = begin(launch, server, channel, hello)
    if (json === undefined && core.setup.strict === true) void channel.respond({ messages: [UNPARSABLE] }, {})
    if (conversation !== undefined) {
      core.receive(conversation, frame, channel)
      return
    }
    core.note(frame)
    // In front of `initialize`: seen, and refused, so that nobody waits.
    if (!isObject(json) || shapeOf(json) !== 'request' || !isRequestId(json.id)) return
    const answer = json.method === 'ping' ? { result: {} } : { error: NOT_INITIALIZED }
    void channel.respond(answer, json)
  }
}

const NOT_INITIALIZED = { code: codes.invalidRequest, message: 'not initialized' }
const UNPARSABLE = {
  jsonrpc: '2.0',
  error: { code: codes.parseError, message: 'Parse error: the text is not JSON' },
}

function outputOf({ log, context }: Launch, server: ServerProcess): LineOutput {
  return {
    say(said, _cause, note) {
      const text = textOf(said)
      const json = 'message' in said ? said.message : parseJson(text)
      const { intended } = (note ?? {}) as SendOptions
      log.add({
        ...context,
        kind: 'message',
        from: 'us',
        text,
        ...(json === undefined ? {} : { json }),
        ...(intended === undefined ? {} : { intended }),
      })
      return server.write(`${text}\n`)
    },
    raw(bytes, note) {
      const text = Buffer.from(bytes).toString('utf8')
      const { intended = 'fault' } = (note ?? {}) as SendOptions
      log.add({ ...context, kind: 'message', from: 'us', text, intended })
      return server.write(bytes)
    },
  }
}

function begin(
  { core, context }: Launch,
  server: ServerProcess,
  speaker: Pick<ReturnType<typeof createLineChannel>, 'say' | 'raw'>,
  hello: JsonObject,
): OpenConversation {
  return core.begin({
    session: context.session,
    sessionId: undefined,
    context,
    hello,
    version: core.versionFor(hello),
    speaker,
    listening: () => server.isAlive,
    listened: async () => server.isAlive,
    async hangUp() {
      server.closeOutput()
      server.exit(0)
    },
    ended: () => server.stdinEnded,
    complain: async text => server.complain(text),
  })
}
