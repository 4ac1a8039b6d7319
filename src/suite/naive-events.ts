/** A reader of event streams as people write it in a hurry, for clients with faults: whole but for what is asked of it. */
import type { SseBlock, SseParser } from '../wire/sse.ts'

export interface Haste {
  /** what ends an event: a text, where it is not any blank line */
  ends?: string
  /** what stands between a field and its value */
  colon?: string
  joins?(lines: string[]): string
  decodes?: 'each piece'
  drops?(block: SseBlock): boolean
}

export const naiveEvents =
  ({ ends, colon = ':', joins = lines => lines.join('\n'), decodes, drops = () => false }: Haste) =>
  (onBlock: (block: SseBlock) => void): SseParser => {
    const decoder = new TextDecoder('utf-8')
    let buffer = ''
    const blank = ends === undefined ? /\r\n\r\n|\n\n|\r\r(?!\n)/ : new RegExp(ends)
    const read = (raw: string): void => {
      const lines = raw.split(ends === undefined ? /\r\n|\n|\r/ : '\n')
      const values = (name: string): string[] =>
        lines.flatMap(line =>
          line.startsWith(`${name}${colon}`) ? [line.slice(name.length + colon.length).trim()] : [],
        )
      const [id, event, retry] = ['id', 'event', 'retry'].map(name => values(name).at(-1))
      const data = values('data')
      const block: SseBlock = {
        raw,
        ...(id === undefined ? {} : { id }),
        ...(event === undefined ? {} : { event }),
        ...(retry === undefined ? {} : { retry }),
        ...(data.length === 0 ? {} : { data: joins(data) }),
      }
      if (!drops(block)) onBlock(block)
    }
    return {
      feed(chunk) {
        buffer +=
          decodes === 'each piece' ? Buffer.from(chunk).toString('utf8') : decoder.decode(chunk, { stream: true })
        for (let end = blank.exec(buffer); end !== null; end = blank.exec(buffer)) {
          const raw = buffer.slice(0, end.index)
          buffer = buffer.slice(end.index + end[0].length)
          read(raw)
        }
      },
      end: () => {},
    }
  }
