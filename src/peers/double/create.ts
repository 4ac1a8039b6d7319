/** The double as a whole: a stage, and the transport in front of it. */
import { randomUUID } from 'node:crypto'
import type { Via } from '../../spec/catalogue.ts'
import type { Revision } from '../../spec/revision.ts'
import { isObject, type JsonObject } from '../../wire/json-rpc.ts'
import type { FrameContext, MessageFrame, WireLog } from '../../wire/log.ts'
import { within } from '../../wire/wait.ts'
import type { HttpManners, ServerDouble, ServerSetup, StdioManners } from './double.ts'
import { serveHttpDouble } from './http-double.ts'
import { createStage } from './stage.ts'
import { serveStdioDouble } from './stdio-double.ts'

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

const httpManners = (): HttpManners => ({
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

const stdioManners = (): StdioManners => ({ onEof: 'exit', onTerminate: 'exit', complains: '' })

export async function openDouble(options: DoubleOptions): Promise<OpenDouble> {
  const { via, revision, setup, log, context, replyMs, onFault } = options
  const stage = createStage({ revision, setup, log, replyMs, onFault })
  const http = { ...httpManners(), ...setup.http }
  const stdio = { ...stdioManners(), ...setup.stdio }
  const served =
    via === 'http'
      ? await serveHttpDouble(stage, http, log, context)
      : await serveStdioDouble(stage, stdio, log, context)
  return {
    via,
    revision,
    http,
    stdio,
    ...('url' in served ? { url: served.url } : { path: served.path }),
    conversations: stage.talks,
    messages: stage.messages,
    requests: 'requests' in served ? served.requests : [],
    get launches() {
      return 'launches' in served ? served.launches : 0
    },
    on: (method, handler) => stage.handlers.set(method, handler),
    opened: (number = 1, withinMs = replyMs) =>
      stage.found(() => stage.talks.slice(number - 1, number).find(talk => talk.initialized), withinMs),
    heard: (fits, withinMs) => stage.found(() => stage.messages.find(frame => messagesIn(frame).some(fits)), withinMs),
    get isOver() {
      return stage.isOver
    },
    async pause(ms) {
      await within(stage.over, ms)
    },
    now: () => log.now(),
    recordElsewhere: head => log.add({ ...context, channel: 'auth', ...head }),
    end: () => stage.end(),
    close: () => served.close(),
  }
}

const messagesIn = (frame: MessageFrame): JsonObject[] =>
  (Array.isArray(frame.json) ? frame.json : [frame.json]).filter(isObject)
