/** Frames as lines of text, for people: what went over the wire, shortened, without control characters. */
import type { Frame } from './log.ts'
import { printable } from './mask.ts'

const SHOWN = 160

/** Text in one line, without control characters, cut with a note of how long it was. */
export const short = (text: string, length = SHOWN): string => {
  const clean = printable(text).replace(/\s+/g, ' ').trim()
  return clean.length > length ? `${clean.slice(0, length)}… (${text.length} characters)` : clean
}

const MAX_LINES = 12
const MAX_CHARS = 300
/** Header fields that help to understand an exchange; the log has all of them. */
const TELLING = /^(?:content-type|accept|mcp-.*|origin|host|last-event-id|allow|www-authenticate|location)$/i

export function excerptOf(frames: readonly Frame[]): string[] {
  const lines = frames.flatMap(linesOf)
  if (lines.length <= MAX_LINES) return lines
  const half = MAX_LINES / 2
  return [
    ...lines.slice(0, half),
    `… ${lines.length - MAX_LINES} more lines, see the wire log …`,
    ...lines.slice(-half),
  ]
}

function linesOf(frame: Frame): string[] {
  switch (frame.kind) {
    case 'message':
      return [`${arrow(frame.from)} ${cut(frame.text)}${frame.flaw === undefined ? '' : `   [${frame.flaw}]`}`]
    case 'http': {
      const telling = frame.headers.filter(([name]) => TELLING.test(name)).map(([name, value]) => `${name}: ${value}`)
      return [cut(`${arrow(frame.from)} ${frame.start}${telling.length === 0 ? '' : `   ${telling.join('   ')}`}`)]
    }
    case 'body':
      return [`${arrow(frame.from)} ${cut(frame.text)}   [${frame.length} bytes]`]
    case 'sse':
      // The message inside has a frame of its own; here only the envelope counts.
      return [
        cut(
          `${arrow(frame.from)} (event${field('id', frame.id)}${field('event', frame.event)}${field('retry', frame.retry)}${frame.data === '' ? ' data: empty' : ''})`,
        ),
      ]
    case 'silence':
      return [`… silence: ${Math.round(frame.waitedMs)} ms waiting for ${frame.awaiting}`]
    case 'stderr':
      return [`! stderr: ${cut(frame.text)}`]
    case 'end':
      return [
        `× ${frame.why}${frame.code === undefined ? '' : ` with code ${frame.code}`}${frame.signal === undefined ? '' : ` by ${frame.signal}`}${frame.detail === undefined ? '' : `: ${cut(frame.detail)}`}`,
      ]
  }
}

const arrow = (from: 'us' | 'them'): string => (from === 'us' ? '→' : '←')

const field = (name: string, value: string | undefined): string => (value === undefined ? '' : ` ${name}: ${value}`)

function cut(text: string): string {
  const clean = printable(text).replaceAll('\n', '\\n')
  return clean.length > MAX_CHARS ? `${clean.slice(0, MAX_CHARS)}… (${text.length} characters)` : clean
}
