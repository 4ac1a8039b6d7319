/** An HTTP response as what carries an event stream. */
import type { ServerResponse } from 'node:http'
import { inChunks } from '../../wire/sse-writer.ts'
import type { Connection } from './event-stream.ts'

export interface Writing {
  encoding?: BufferEncoding
  /** bytes that are written at a time */
  chunk?(): number | undefined
}

export function connectionOf(response: ServerResponse, { encoding = 'utf8', chunk }: Writing = {}): Connection {
  const put = (bytes: string | Uint8Array): void => {
    if (!response.destroyed && !response.writableEnded) response.write(bytes, encoding)
  }
  return {
    write(bytes) {
      const size = chunk?.()
      if (size === undefined) return put(bytes)
      return inChunks(typeof bytes === 'string' ? Buffer.from(bytes, encoding) : bytes, size, put)
    },
    flush: () => response.flushHeaders(),
    end: () => {
      response.end()
    },
    destroy: () => {
      response.destroy()
    },
    get isOpen() {
      return !response.destroyed && !response.writableEnded
    },
    onClose: see => {
      response.once('close', see)
    },
  }
}
