/**
 * The client's reader of event streams: a library of others, so that a mistake in our own (wire/sse) shows where the two
 * meet. The library drops a block that never had its blank line, as a client has to. It drops a block without data, too,
 * though the id in it counts for resumption (WHATWG HTML section 9.2.6): the lines are passed to it one by one, and where it
 * has told nothing of a block that had an id, the id is told here.
 */
import { createParser } from 'eventsource-parser'
import type { SseBlock, SseParser } from '../../wire/sse.ts'

/** What a block says. Without `data` there is no event in it: it only moves the place where the stream is taken up. */
export type StreamEvent = Pick<SseBlock, 'id' | 'event' | 'retry' | 'data'>

/** A stream without line ends or without blank lines has none for ever: it is not read any further. */
const MAX_BUFFERED_CHARS = 16 * 1024 * 1024

export function parseEvents(onEvent: (event: StreamEvent) => void): SseParser {
  const decoder = new TextDecoder('utf-8')
  let partial = ''
  let endsWithCr = false
  let isDead = false
  let retry: string | undefined
  /** of the block that is being read, as long as nothing was told of it */
  let id: string | undefined

  const tell = (event: StreamEvent): void => {
    const told = { ...event, ...(id === undefined ? {} : { id }), ...(retry === undefined ? {} : { retry }) }
    id = undefined
    retry = undefined
    onEvent(told)
  }
  const parser = createParser({
    maxBufferSize: MAX_BUFFERED_CHARS,
    onEvent({ id: given, event, data }) {
      id = given
      tell({ data, ...(event === undefined ? {} : { event }) })
    },
    onRetry: ms => {
      retry = String(ms)
    },
    onError({ type }) {
      if (type === 'max-buffer-size-exceeded') isDead = true
    },
  })
  const take = (line: string): void => {
    if (isDead) return
    parser.feed(`${line}\n`)
    const isId = line === 'id' || line.startsWith('id:')
    if (isId && !line.includes('\0')) id = line.replace(/^id:? ?/, '')
    if (line === '' && (id !== undefined || retry !== undefined)) tell({})
  }
  return {
    feed(chunk) {
      const text = decoder.decode(chunk, { stream: true })
      partial += text
      if (partial.length > MAX_BUFFERED_CHARS) isDead = true
      // A long line is put together once, when its end has come.
      if (isDead || (!endsWithCr && !/[\r\n]/.test(text))) return
      // A CR at the very end may be half of a CR LF.
      const lines = partial.split(/\r\n|\n|\r(?!$)/)
      partial = lines.pop() ?? ''
      endsWithCr = partial.endsWith('\r')
      for (const line of lines) take(line)
    },
    end() {
      isDead = true
    },
  }
}
