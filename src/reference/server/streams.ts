/** The event streams of one session: what is written, remembered, continued and routed. */
import type { ServerResponse } from 'node:http'
import { isObject, isResponse, type Json, type JsonObject, shapeOf } from '../../wire/json-rpc.ts'
import type { Outgoing, Tamper } from '../outgoing.ts'
import type { Policies } from '../policies.ts'
import type { StreamView } from '../views.ts'
import type { EventStore } from './event-store.ts'
import type { Channel } from './session.ts'

interface LiveStream extends StreamView {
  count: number
  lastId: string | undefined
  response: ServerResponse | undefined
  finished: boolean
}

export interface Streams {
  /** Opens the stream that answers a request. */
  post(response: ServerResponse): Channel & { finish(): void; dropped(): boolean }
  get(response: ServerResponse): void
  /** Continues a broken stream; false when the id is not known in this session. */
  resume(response: ServerResponse, lastEventId: string): boolean
  /** For messages that belong to no request. */
  readonly unsolicited: Channel
  readonly openGets: number
  endAll(): void
}

export function createStreams(
  policies: Policies,
  tamper: Tamper,
  store: EventStore,
  session: string,
  names: () => string,
): Streams {
  const live = new Map<string, LiveStream>()
  /** GET streams whose connection is gone: a client may come back for them. */
  const parked = new Map<string, LiveStream>()
  let waiting: Json[] = []

  const emit = (stream: LiveStream, message: Json | undefined, extra: string): void => {
    stream.count += 1
    const id = policies.eventId(stream, stream.count)
    if (id !== undefined) store.append({ id, stream: stream.id, session, message })
    stream.lastId = id ?? stream.lastId
    write(stream, block(id, message, extra), message)
    const { closesGetAfter } = policies
    if (stream.kind === 'get' && closesGetAfter !== undefined && stream.count % closesGetAfter === 0) disconnect(stream)
  }
  const write = (stream: LiveStream, raw: string, message: Json | undefined): void => {
    for (const out of tamper({ layer: 'block', raw, message, on: stream.kind })) {
      stream.response?.write((out as Extract<Outgoing, { layer: 'block' }>).raw, policies.encoding)
    }
  }
  const open = (kind: 'post' | 'get', response: ServerResponse): LiveStream => {
    const stream: LiveStream = { id: names(), kind, session, count: 0, lastId: undefined, response, finished: false }
    live.set(stream.id, stream)
    attach(stream, response)
    if (policies.primes(stream)) {
      emit(stream, undefined, policies.retryMs === undefined ? '' : `retry: ${policies.retryMs}\n`)
    } else {
      response.flushHeaders()
    }
    return stream
  }
  const attach = (stream: LiveStream, response: ServerResponse): void => {
    stream.response = response
    response.once('close', () => {
      // A resumed stream has another connection by now.
      if (stream.response === response) disconnect(stream)
    })
  }
  const disconnect = (stream: LiveStream): void => {
    stream.response?.end()
    stream.response = undefined
    if (stream.kind !== 'get') return
    live.delete(stream.id)
    parked.set(stream.id, stream)
  }
  const finish = (stream: LiveStream): void => {
    stream.finished = true
    live.delete(stream.id)
    if (policies.endsAfterResponse) stream.response?.end()
  }
  const openStreams = (): LiveStream[] => [...live.values()].filter(stream => stream.response !== undefined)
  const say = (message: Json, cause: JsonObject | undefined): void => {
    const chosen = policies.route(openStreams())
    if (chosen.length === 0) waiting.push(message)
    for (const { id } of chosen) {
      const stream = live.get(id)
      if (stream !== undefined) told(stream, message, cause)
    }
  }
  const sayHeld = (): void => {
    const held = waiting
    waiting = []
    for (const message of held) say(message, undefined)
  }
  const told = (stream: LiveStream, message: Json, cause: JsonObject | undefined): void => {
    for (const out of tamper({ layer: 'message', message, cause, on: stream.kind })) {
      emit(stream, (out as Extract<Outgoing, { layer: 'message' }>).message, '')
    }
  }
  return {
    post(response) {
      const stream = open('post', response)
      let lost = false
      let cut = false
      response.once('close', () => {
        lost = !stream.finished && !cut
      })
      return {
        send(message, cause) {
          if (lost && policies.onDisconnect() === 'cancel') return
          told(stream, message, cause)
          // The answers to a batch have no cause of their own; their stream ends behind the last one.
          const answers = (isResponse(shapeOf(message)) && cause !== undefined) || Array.isArray(message)
          if (answers || (isObject(cause) && cause.id === undefined)) finish(stream)
        },
        cut() {
          // Without an event id the client could not come back.
          if (stream.lastId === undefined) return
          cut = true
          disconnect(stream)
        },
        finish: () => finish(stream),
        dropped: () => lost,
      }
    },
    get(response) {
      open('get', response)
      sayHeld()
    },
    resume(response, lastEventId) {
      const found = store.after(lastEventId, session)
      if (found === undefined) return false
      response.flushHeaders()
      const stream = live.get(found.stream) ?? parked.get(found.stream)
      for (const event of found.events) {
        const raw = block(event.id, event.message, '')
        for (const out of tamper({ layer: 'block', raw, message: event.message, on: 'get' })) {
          response.write((out as Extract<Outgoing, { layer: 'block' }>).raw, policies.encoding)
        }
      }
      if (stream === undefined) {
        // The stream of a request that has its response is over.
        response.end()
        return true
      }
      parked.delete(stream.id)
      live.set(stream.id, stream)
      attach(stream, response)
      if (stream.kind === 'get') sayHeld()
      return true
    },
    unsolicited: { send: say },
    get openGets() {
      return openStreams().filter(stream => stream.kind === 'get').length
    },
    endAll() {
      for (const stream of live.values()) stream.response?.end()
      live.clear()
    },
  }
}

const block = (id: string | undefined, message: Json | undefined, extra: string): string => {
  const head = `${id === undefined ? '' : `id: ${id}\n`}${extra}`
  return message === undefined ? `${head}data:\n\n` : `${head}event: message\ndata: ${JSON.stringify(message)}\n\n`
}
