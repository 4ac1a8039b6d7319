/** Writes events the way a layout wants them: line ends, comments, data over several lines, small chunks (WHATWG HTML 9.2). */
import { sleep } from './wait.ts'

/** How event streams are written. */
export interface SseLayout {
  newline?: '\n' | '\r\n' | '\r'
  /** a comment line in front of each event */
  comments?: boolean
  /** the `event` field; none where it is absent */
  name?: string
  /** JSON spread over several data lines */
  multiline?: boolean
  /** bytes that are written at a time, with a pause between */
  chunk?: number
  /** no blank after the colon */
  tight?: boolean
}

export interface EventFields {
  id?: string
  event?: string
  retry?: number
  data?: string
  comment?: string
}

/** Between two chunks: long enough that they travel in packets of their own on loopback. */
const CHUNK_PAUSE_MS = 4

export function formatEvent(fields: EventFields, layout: SseLayout): string {
  const newline = layout.newline ?? '\n'
  const field = (name: string, value: string | number): string => `${name}:${layout.tight === true ? '' : ' '}${value}`
  const lines: string[] = []
  if (layout.comments === true) lines.push(': a comment', ':')
  if (fields.comment !== undefined) lines.push(...fields.comment.split('\n').map(line => `:${line}`))
  const name = fields.event ?? (fields.data === undefined || fields.data === '' ? undefined : layout.name)
  if (name !== undefined) lines.push(field('event', name))
  if (fields.id !== undefined) lines.push(field('id', fields.id))
  if (fields.retry !== undefined) lines.push(field('retry', fields.retry))
  if (fields.data !== undefined) lines.push(...fields.data.split('\n').map(line => field('data', line)))
  return `${lines.join(newline)}${newline}${newline}`
}

/** The JSON of a message as event data. */
export const dataOf = (text: string, layout: SseLayout): string =>
  layout.multiline === true ? JSON.stringify(JSON.parse(text), null, 2) : text

/** The pieces in which bytes are written. */
export async function inChunks(
  bytes: Uint8Array,
  size: number | undefined,
  write: (chunk: Uint8Array) => void,
): Promise<void> {
  if (size === undefined || size <= 0) {
    write(bytes)
    return
  }
  for (let start = 0; start < bytes.length; start += size) {
    if (start > 0) await sleep(CHUNK_PAUSE_MS)
    write(bytes.subarray(start, start + size))
  }
}
