/** Writes any bytes to the port of a URL and reads the answer, for requests that are wrong on purpose. */
import { connect as connectTcp } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { clock } from './clock.ts'
import type { HeaderList } from './log.ts'

export interface RawAnswer {
  /** 0 where no status line came */
  status: number
  start: string
  headers: HeaderList
  body: string
  ended: 'complete' | 'failed' | 'open'
  error?: string
}

/** An answer that is longer is not read to its end. */
const MAX_ANSWER_BYTES = 1024 * 1024
/** A keep-alive connection stays open behind its answer: after this long without a byte we have it all. */
const QUIET_MS = 300

export function writeRaw(url: string, bytes: string | Uint8Array, withinMs: number): Promise<RawAnswer> {
  const { protocol, hostname, port } = new URL(url)
  const host = hostname.replace(/^\[|\]$/g, '')
  const secure = protocol === 'https:'
  const socket = secure
    ? connectTls({ host, port: Number(port || 443), servername: host })
    : connectTcp({ host, port: Number(port || 80) })
  return new Promise(resolve => {
    const chunks: Buffer[] = []
    let length = 0
    const { after } = clock()
    let takeBackQuiet = (): void => {}
    const finish = (ended: RawAnswer['ended'], error?: string): void => {
      takeBackQuiet()
      takeBackLate()
      socket.destroy()
      resolve({ ...readAnswer(Buffer.concat(chunks)), ended, ...(error === undefined ? {} : { error }) })
    }
    const takeBackLate = after(withinMs, () => finish('open', 'no end of the answer in time'))
    socket.once(secure ? 'secureConnect' : 'connect', () => socket.write(bytes))
    socket.on('data', chunk => {
      chunks.push(chunk)
      length += chunk.length
      takeBackQuiet()
      if (length > MAX_ANSWER_BYTES) finish('open', 'the answer is very long')
      else takeBackQuiet = after(QUIET_MS, () => finish('open'))
    })
    socket.once('end', () => finish('complete'))
    socket.once('error', error => finish('failed', (error as NodeJS.ErrnoException).code ?? error.message))
  })
}

function readAnswer(bytes: Buffer): Omit<RawAnswer, 'ended' | 'error'> {
  const text = bytes.toString('latin1')
  const split = text.indexOf('\r\n\r\n')
  const [start = '', ...lines] = (split === -1 ? text : text.slice(0, split)).split('\r\n')
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(start)?.[1] ?? 0)
  const headers = lines.flatMap((line): HeaderList => {
    const colon = line.indexOf(':')
    return colon <= 0 ? [] : [[line.slice(0, colon), line.slice(colon + 1).trim()]]
  })
  return {
    status,
    start,
    headers,
    body: split === -1 ? '' : bytes.subarray(Buffer.byteLength(text.slice(0, split), 'latin1') + 4).toString('utf8'),
  }
}
