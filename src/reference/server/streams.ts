/** The event streams of one session: what is written, remembered, continued and routed. */
import type { ServerResponse } from 'node:http'
import { isObject, isResponse, type Json, type JsonObject, shapeOf } from '../../wire/json-rpc.ts'
import type { Outgoing, Tamper } from '../outgoing.ts'
import type { Policies, StreamView } from '../policies.ts'
import type { EventStore } from './event-store.ts'
import type { Channel } from './session.ts'

interface LiveStream extends StreamView {
  count: number
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
  let waiting: Json[] = []

  const emit = (stream: LiveStream, message: Json | undefined, extra: string): void => {
    stream.count += 1
    const id = policies.eventId(stream, stream.count)
    if (id !== undefined) store.append({ id, stream: stream.id, session, message })
    write(stream, block(id, message, extra), message)
  }
  const write = (stream: LiveStream, raw: string, message: Json | undefined): void => {
    for (const out of tamper({ layer: 'block', raw, message, on: stream.kind })) {
      stream.response?.write((out as Extract<Outgoing, { layer: 'block' }>).raw)
    }
  }
  const open = (kind: 'post' | 'get', response: ServerResponse): LiveStream => {
    const stream: LiveStream = { id: names(), kind, session, count: 0, response, finished: false }
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
      if (stream.response === response) stream.response = undefined
      if (stream.kind === 'get') live.delete(stream.id)
    })
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
  const told = (stream: LiveStream, message: Json, cause: JsonObject | undefined): void => {
    for (const out of tamper({ layer: 'message', message, cause, on: stream.kind })) {
      emit(stream, (out as Extract<Outgoing, { layer: 'message' }>).message, '')
    }
  }
  return {
    post(response) {
      const stream = open('post', response)
      let lost = false
      response.once('close', () => {
        lost = !stream.finished
      })
      return {
        send(message, cause) {
          if (lost && policies.onDisconnect === 'cancel') return
          told(stream, message, cause)
          const answers = isResponse(shapeOf(message)) || Array.isArray(message)
          if (answers || (isObject(cause) && cause.id === undefined)) finish(stream)
        },
        finish: () => finish(stream),
        dropped: () => lost,
      }
    },
    get(response) {
      open('get', response)
      const held = waiting
      waiting = []
      for (const message of held) say(message, undefined)
    },
    resume(response, lastEventId) {
      const found = store.after(lastEventId, session)
      if (found === undefined) return false
      response.flushHeaders()
      const stream = live.get(found.stream)
      const replaying: LiveStream = stream ?? {
        id: found.stream,
        kind: 'get',
        session,
        count: 0,
        response,
        finished: true,
      }
      for (const event of found.events) {
        const raw = block(event.id, event.message, '')
        for (const out of tamper({ layer: 'block', raw, message: event.message, on: 'get' })) {
          response.write((out as Extract<Outgoing, { layer: 'block' }>).raw)
        }
      }
      if (stream !== undefined) attach(replaying, response)
      else if (found.events.some(event => isResponse(shapeOf(event.message)))) response.end()
      else {
        // The connection of a GET stream broke: it lives on here.
        live.set(found.stream, { ...replaying, count: Number.MAX_SAFE_INTEGER / 2 })
        attach(live.get(found.stream) as LiveStream, response)
      }
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
