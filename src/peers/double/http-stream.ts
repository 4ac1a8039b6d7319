/**
 * An event stream of the double: it belongs to a request (or to a GET) and outlives the connection under it.
 * With event ids, what is sent while no connection is there waits for the client that comes back.
 */
import type { ServerResponse } from 'node:http'
import { parseJson } from '../../wire/json-rpc.ts'
import type { Frame, FrameContext, HeaderList, WireLog } from '../../wire/log.ts'
import { signal, within } from '../../wire/wait.ts'
import type { EventStream, HttpManners, SendOptions } from './double.ts'
import { respond } from './responder.ts'
import { dataOf, type EventFields, formatEvent, inChunks } from './sse-writer.ts'

export interface HttpStream extends EventStream {
  /** Carries the stream on this connection; `after` an event what came behind it is sent again. */
  attach(
    response: ServerResponse,
    context: FrameContext,
    how?: { headers?: HeaderList; after?: { lastEventId: string; frame: Frame } },
  ): void
  /** A message as an event. */
  message(text: string, options: SendOptions): Promise<boolean>
  /** Nothing more will come: the connection ends, also one that is still to be made. */
  finish(): Promise<void>
  owns(eventId: string): boolean
}

export function createHttpStream(number: number, manners: HttpManners, log: WireLog, first: FrameContext): HttpStream {
  const kept: { id: string; bytes: Buffer }[] = []
  const resumptions: { lastEventId: string; at: number; frame: Frame }[] = []
  const comers = new Set<() => void>()
  let context = first
  let live: ServerResponse | undefined
  let done = false
  let count = 0
  let lastEventId: string | undefined
  let queue: Promise<unknown> = Promise.resolve()

  /** One thing after the other: a message in small chunks must not be mixed with the next one. */
  const enqueue = <T>(work: () => T | Promise<T>): Promise<T> => {
    const next = queue.then(work)
    queue = next.catch(() => undefined)
    return next
  }
  const write = async (bytes: Uint8Array): Promise<boolean> => {
    const to = live
    if (to === undefined || to.destroyed) return false
    await inChunks(bytes, manners.layout.chunk, chunk => {
      if (!to.destroyed) to.write(chunk)
    })
    return !to.destroyed
  }
  const send = (fields: EventFields, options: SendOptions = {}): Promise<boolean> =>
    enqueue(async () => {
      count += 1
      const id = fields.id ?? (manners.ids ? manners.eventId(number, count) : undefined)
      const whole = { ...fields, ...(id === undefined ? {} : { id }) }
      const raw = formatEvent(whole, manners.layout)
      const { retry, ...rest } = whole
      const fault = options.intended === undefined ? {} : { intended: options.intended }
      log.add({
        ...context,
        ...fault,
        kind: 'sse',
        from: 'us',
        raw,
        ...rest,
        ...(retry === undefined ? {} : { retry: String(retry) }),
      })
      const bytes = Buffer.from(raw)
      if (id !== undefined) {
        lastEventId = id
        kept.push({ id, bytes })
      }
      const sent = await write(bytes)
      return sent || id !== undefined
    })
  const stream: HttpStream = {
    resumptions,
    get connected() {
      return live !== undefined
    },
    get lastEventId() {
      return lastEventId
    },
    owns: id => kept.some(event => event.id === id),
    attach(response, next, { headers = [], after } = {}) {
      context = next
      respond(response, log, next).head(200, [
        ...headers,
        ['Content-Type', 'text/event-stream'],
        ['Cache-Control', 'no-cache'],
      ])
      response.socket?.setNoDelay(true)
      live = response
      response.once('close', () => {
        if (live !== response) return
        live = undefined
        if (!response.writableEnded)
          log.add({ ...next, kind: 'end', why: 'closed', detail: 'the client closed the stream' })
      })
      if (after === undefined) {
        if (manners.primes)
          void send({ data: '', ...(manners.retryMs === undefined ? {} : { retry: manners.retryMs }) })
        return
      }
      resumptions.push({ lastEventId: after.lastEventId, at: after.frame.at, frame: after.frame })
      for (const come of [...comers]) come()
      void enqueue(async () => {
        const from = kept.findIndex(event => event.id === after.lastEventId) + 1
        for (const event of kept.slice(from)) await write(event.bytes)
        if (done) live?.end()
      })
    },
    event: fields => send(fields),
    message(text, options) {
      const json = parseJson(text)
      log.add({
        ...context,
        kind: 'message',
        from: 'us',
        text,
        ...(json === undefined ? {} : { json }),
        ...(options.intended === undefined ? {} : { intended: options.intended }),
      })
      return send({ data: json === undefined ? text : dataOf(text, manners.layout) }, options)
    },
    raw: bytes => enqueue(() => write(Buffer.from(bytes))),
    close: () =>
      enqueue(async () => {
        const ending = live
        live = undefined
        ending?.end()
      }),
    cut() {
      const ending = live
      live = undefined
      ending?.destroy()
    },
    finish: () =>
      enqueue(() => {
        done = true
        const ending = live
        live = undefined
        ending?.end()
      }),
    async resumed(withinMs) {
      if (resumptions.length > 0) return true
      const come = signal<true>()
      const look = (): void => come.resolve(true)
      comers.add(look)
      const came = await within(come.promise, withinMs)
      comers.delete(look)
      return came === true
    },
  }
  return stream
}
