/** Writes one HTTP answer, and logs it. */
import type { ServerResponse } from 'node:http'
import { isObject } from '../../wire/json-rpc.ts'
import { readLine } from '../../wire/lines.ts'
import type { FrameContext, WireLog } from '../../wire/log.ts'
import type { Responder } from './behaviour.ts'

export function respond(response: ServerResponse, log: WireLog, context: FrameContext): Responder {
  return {
    head(status, headers = []) {
      log.add({ ...context, kind: 'http', from: 'us', start: `HTTP/1.1 ${status}`, status, headers })
      for (const [name, value] of headers) response.setHeader(name, value)
      response.writeHead(status)
      response.flushHeaders()
    },
    async write(bytes) {
      if (!response.destroyed) response.write(bytes)
    },
    end(bytes) {
      const text = bytes === undefined ? '' : typeof bytes === 'string' ? bytes : Buffer.from(bytes).toString('utf8')
      if (text !== '') {
        const line = readLine(Buffer.from(text))
        const isMessage = line.json !== undefined && isObject(line.json) && line.json.jsonrpc !== undefined
        if (isMessage) log.add({ ...context, kind: 'message', from: 'us', ...line })
        else log.add({ ...context, kind: 'body', from: 'us', text: text.slice(0, 2_000), length: text.length })
      }
      response.end(bytes)
    },
    cut() {
      response.destroy()
    },
  }
}
