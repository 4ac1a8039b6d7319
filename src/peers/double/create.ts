/** The double as a whole: its core, and the transport in front of it. */
import { randomUUID } from 'node:crypto'
import type { Via } from '../../spec/catalogue.ts'
import type { Revision } from '../../spec/revision.ts'
import { isObject, type JsonObject } from '../../wire/json-rpc.ts'
import type { FrameContext, MessageFrame, WireLog } from '../../wire/log.ts'
import { within } from '../../wire/wait.ts'
import type { HttpBehaviour, StdioBehaviour } from './behaviour.ts'
import { createCore } from './core.ts'
import type { ServerDouble, ServerSetup } from './double.ts'
import { serveHttpDouble } from './http.ts'
import { serveStdioDouble } from './stdio.ts'

export interface DoubleOptions {
  via: Via
  revision: Revision
  setup: ServerSetup
  log: WireLog
  context: FrameContext
  replyMs: number
  onFault(error: Error): void
}

export interface OpenDouble extends ServerDouble {
  /** HTTP: the endpoint. */
  readonly url?: string
  /** Stdio: where the relay connects. */
  readonly path?: string
  /** The client has ended. */
  end(): void
  close(): Promise<void>
}

const httpBehaviour = (): HttpBehaviour => ({
  path: '/mcp',
  sessionId: () => randomUUID(),
  answerBy: () => 'json',
  contentType: 'application/json',
  layout: { name: 'message' },
  ids: false,
  eventId: (stream, count) => `${stream}-${count}`,
  primes: false,
  retryMs: undefined,
  get: 'stream',
  deletion: 200,
  acceptedStatus: 202,
  unknownSession: 404,
})

const stdioBehaviour = (): StdioBehaviour => ({ onEof: 'exit', onTerminate: 'exit', complains: '' })

export async function openDouble(options: DoubleOptions): Promise<OpenDouble> {
  const { via, revision, setup, log, context, replyMs, onFault } = options
  const core = createCore({ revision, setup, log, replyMs, onFault })
  const http = { ...httpBehaviour(), ...core.era.http, ...setup.http }
  const stdio = { ...stdioBehaviour(), ...setup.stdio }
  const served =
    via === 'http' ? await serveHttpDouble(core, http, log, context) : await serveStdioDouble(core, stdio, log, context)
  return {
    via,
    revision,
    http,
    stdio,
    ...('url' in served ? { url: served.url } : { path: served.path }),
    conversations: core.sessions.all,
    messages: core.messages,
    requests: 'requests' in served ? served.requests : [],
    get launches() {
      return 'launches' in served ? served.launches : 0
    },
    on: (method, handler) => core.handlers.set(method, handler),
    opened: (number = 1, withinMs = replyMs) =>
      core.watch.found(() => core.sessions.all.slice(number - 1, number).find(one => one.initialized), withinMs),
    heard: (fits, withinMs) =>
      core.watch.found(() => core.messages.find(frame => messagesIn(frame).some(fits)), withinMs),
    get isOver() {
      return core.watch.isOver
    },
    async pause(ms) {
      await within(core.watch.over, ms)
    },
    now: () => log.now(),
    recordElsewhere: head => log.add({ ...context, channel: 'auth', ...head }),
    end: () => core.watch.end(),
    close: () => served.close(),
  }
}

const messagesIn = (frame: MessageFrame): JsonObject[] =>
  (Array.isArray(frame.json) ? frame.json : [frame.json]).filter(isObject)
