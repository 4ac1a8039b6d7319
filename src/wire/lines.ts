/**
 * stdio framing (basic/transports#stdio): one message a line, UTF-8, split on LF and on nothing
 * else: CR, U+2028 and U+2029 are ordinary characters. Works on bytes, so that a code point split
 * between two reads is whole again and bytes that are not UTF-8 are seen as what they are.
 */
import { isTooDeep, type Json, parseJson } from './json-rpc.ts'
import type { Flaw } from './log.ts'

export interface Line {
  text: string
  json?: Json
  flaw?: Flaw
  bytes?: string
  crlf?: true
}

export interface LineReader {
  feed(chunk: Uint8Array): void
  /** The stream ended; what is left without LF is an unterminated line. */
  end(): void
}

/** The longest line that is read. No limit is specified; beyond 16 MiB we call it endless. */
export const MAX_LINE_BYTES = 16 * 1024 * 1024
/** How much of an endless line is kept as evidence. */
const KEPT_OF_ENDLESS = 1024

const LF = 0x0a
const CR = 0x0d

export function createLineReader(onLine: (line: Line) => void, maxBytes = MAX_LINE_BYTES): LineReader {
  let parts: Uint8Array[] = []
  let length = 0
  let skipping = false

  const take = (piece: Uint8Array): void => {
    if (skipping) return
    if (length + piece.length > maxBytes) {
      // The line is reported once, at the moment it becomes endless, and the rest of it is skipped.
      // Its beginning is evidence enough, and is taken without copying the megabytes behind it.
      const head = Buffer.from((parts[0] ?? piece).subarray(0, KEPT_OF_ENDLESS))
      skipping = true
      parts = []
      length = 0
      onLine({ text: head.toString('utf8'), flaw: 'too-long' })
      return
    }
    parts.push(piece)
    length += piece.length
  }
  const finish = (flaw?: 'unterminated'): void => {
    if (!skipping) onLine(readLine(parts.length === 1 ? (parts[0] as Uint8Array) : Buffer.concat(parts), flaw))
    skipping = false
    parts = []
    length = 0
  }
  return {
    feed(chunk) {
      let start = 0
      for (let end = chunk.indexOf(LF); end !== -1; end = chunk.indexOf(LF, start)) {
        take(chunk.subarray(start, end))
        finish()
        start = end + 1
      }
      if (start < chunk.length) take(chunk.subarray(start))
    },
    end() {
      if (length > 0) finish('unterminated')
    },
  }
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Reads the bytes of one line, without its LF. */
export function readLine(bytes: Uint8Array, flaw?: 'unterminated'): Line {
  const crlf = bytes.at(-1) === CR
  const body = crlf ? bytes.subarray(0, -1) : bytes
  const mark = crlf ? ({ crlf: true } as const) : {}
  let text: string
  try {
    text = strict.decode(body)
  } catch {
    const raw = Buffer.from(body)
    return { text: raw.toString('utf8'), bytes: raw.toString('base64'), flaw: 'not-utf8', ...mark }
  }
  const json = parseJson(text)
  // What was cut off is not called malformed: the rest of it may only be missing.
  const wrong = flaw ?? (json === undefined ? (isTooDeep(text) ? 'too-deep' : 'not-json') : undefined)
  return { text, ...(json === undefined ? {} : { json }), ...(wrong === undefined ? {} : { flaw: wrong }), ...mark }
}
