/**
 * Server-sent events (WHATWG HTML section 9.2), read incrementally and with the raw text of every
 * block kept: an event without data is not dispatched by browsers, but its id counts for
 * resumption, so it is a block here like any other. Strict UTF-8; a tail without its blank line is
 * reported as incomplete, not dispatched.
 */

export interface SseBlock {
  id?: string
  event?: string
  retry?: string
  /** the data lines joined by LF; absent when there was no data field */
  data?: string
  comment?: string
  raw: string
  flaw?: 'not-utf8' | 'incomplete' | 'too-long'
}

export interface SseParser {
  feed(chunk: Uint8Array): void
  end(): void
}

/** The longest block that is read. Nothing in the standard limits it; a stream without blank line is endless. */
export const MAX_BLOCK_CHARS = 16 * 1024 * 1024
const KEPT_OF_ENDLESS = 1024

export function createSseParser(onBlock: (block: SseBlock) => void, maxChars = MAX_BLOCK_CHARS): SseParser {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let buffer = '' // from the start of the block that is being read
  let lineStart = 0 // of the line that is being read
  let scanned = 0 // no line end before this place, so that a long line is searched only once
  let first = true
  let dead = false

  const kill = (raw: string, flaw: 'not-utf8' | 'too-long'): void => {
    dead = true
    buffer = ''
    onBlock({ raw: raw.slice(0, KEPT_OF_ENDLESS), flaw })
  }
  const decode = (chunk?: Uint8Array): void => {
    try {
      buffer += chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true })
    } catch {
      kill(Buffer.from(chunk ?? []).toString('latin1'), 'not-utf8')
    }
  }
  /** Dispatches each block whose blank line has come. A CR at the very end may be half of a CR LF: it waits. */
  const drain = (ended: boolean): void => {
    for (;;) {
      const found = nextLineEnd(buffer, scanned)
      if (found === undefined || (!ended && found.end === buffer.length && buffer.endsWith('\r'))) {
        scanned = Math.max(lineStart, buffer.length - 1)
        return
      }
      const blank = found.start === lineStart
      lineStart = found.end
      scanned = found.end
      if (!blank) continue
      const block = readBlock(buffer.slice(0, found.end))
      buffer = buffer.slice(found.end)
      lineStart = 0
      scanned = 0
      if (block !== undefined) onBlock(block)
    }
  }
  return {
    feed(chunk) {
      if (dead) return
      decode(chunk)
      if (first && buffer !== '') {
        // One leading byte order mark is to be ignored.
        if (buffer.startsWith('\uFEFF')) buffer = buffer.slice(1)
        first = false
      }
      drain(false)
      if (buffer.length > maxChars) kill(buffer, 'too-long')
    },
    end() {
      if (dead) return
      decode()
      drain(true)
      const rest = readBlock(buffer)
      if (rest !== undefined) onBlock({ ...rest, flaw: 'incomplete' })
    },
  }
}

/** The next LF, CR LF or CR at or after `from`. */
function nextLineEnd(text: string, from: number): { start: number; end: number } | undefined {
  for (let i = from; i < text.length; i += 1) {
    const code = text.charCodeAt(i)
    if (code === 0x0a) return { start: i, end: i + 1 }
    if (code === 0x0d) return { start: i, end: text.charCodeAt(i + 1) === 0x0a ? i + 2 : i + 1 }
  }
  return undefined
}

function readBlock(raw: string): SseBlock | undefined {
  const block: SseBlock = { raw }
  const data: string[] = []
  for (const line of raw.split(/\r\n|\n|\r/)) {
    if (line === '') continue
    if (line.startsWith(':')) {
      block.comment = block.comment === undefined ? line.slice(1) : `${block.comment}\n${line.slice(1)}`
      continue
    }
    const colon = line.indexOf(':')
    const field = colon === -1 ? line : line.slice(0, colon)
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (field === 'data') data.push(value)
    else if (field === 'id' && !value.includes('\0')) block.id = value
    else if (field === 'event') block.event = value
    else if (field === 'retry') block.retry = value
  }
  if (data.length > 0) block.data = data.join('\n')
  return raw.trim() === '' ? undefined : block
}
