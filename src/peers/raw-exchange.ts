/** One exchange by hand, with its frames in the log: see ServerPeer.socket. */
import { headerValue } from '../wire/http.ts'
import { parseJson } from '../wire/json-rpc.ts'
import type { Frame, FrameContext, WireLog } from '../wire/log.ts'
import { writeRaw } from '../wire/raw-http.ts'
import { KEPT_OF_OTHER_BODIES } from './exchange-record.ts'
import type { HttpReply } from './reply.ts'

/** Bytes straight to the port: for requests that no HTTP library would write. */
export async function rawExchange(
  url: string,
  bytes: string | Uint8Array,
  withinMs: number,
  log: WireLog,
  context: FrameContext,
): Promise<HttpReply> {
  const frames: Frame[] = []
  const text = typeof bytes === 'string' ? bytes : Buffer.from(bytes).toString('latin1')
  frames.push(
    log.add({ ...context, kind: 'body', from: 'us', text: text.slice(0, KEPT_OF_OTHER_BODIES), length: text.length }),
  )
  const answer = await writeRaw(url, bytes, withinMs)
  if (answer.status !== 0) {
    frames.push(
      log.add({
        ...context,
        kind: 'http',
        from: 'them',
        start: answer.start,
        status: answer.status,
        headers: answer.headers,
      }),
    )
  }
  if (answer.body !== '') {
    frames.push(
      log.add({
        ...context,
        kind: 'body',
        from: 'them',
        text: answer.body.slice(0, KEPT_OF_OTHER_BODIES),
        length: answer.body.length,
      }),
    )
  }
  const json = parseJson(answer.body)
  return {
    status: answer.status,
    headers: answer.headers,
    contentType: headerValue(answer.headers, 'content-type') ?? '',
    body: answer.body,
    ...(json === undefined ? {} : { json }),
    events: [],
    ended: answer.ended,
    ...(answer.error === undefined ? {} : { error: answer.error }),
    frames,
  }
}
