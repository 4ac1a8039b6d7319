/** Which reports are written where, and the wire log beside them. */
import { mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Frame } from '../wire/log.ts'
import type { Mask } from '../wire/mask.ts'
import { renderJson } from './json.ts'
import { renderJunit } from './junit.ts'
import { masked, type Report } from './report.ts'

/** What goes into files. A format is added here, and nowhere else. */
const RENDER = { json: renderJson, junit: renderJunit } satisfies Record<string, (report: Report) => string>

export type FileFormat = keyof typeof RENDER
export type Format = 'console' | FileFormat
export const FORMATS: readonly Format[] = ['console', ...(Object.keys(RENDER) as FileFormat[])]

export interface ReportFile {
  format: FileFormat
  path: string
}

export const DEFAULT_FILES: readonly ReportFile[] = [
  { format: 'junit', path: 'reports/junit.xml' },
  { format: 'json', path: 'reports/report.json' },
]

export function writeReports(report: Report, files: readonly ReportFile[], mask: Mask): void {
  const clean = masked(report, mask)
  for (const { format, path } of files) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, RENDER[format](clean))
  }
}

/** Where the wire log goes: beside the JSON report. */
export const logPath = (files: readonly ReportFile[]): string | undefined =>
  files.find(file => file.format === 'json')?.path.replace(/(?:\.json)?$/, '.wire.jsonl')

/** A frame a line, masked; written as it comes, so that a crash loses nothing. */
export function createLogFile(path: string, mask: Mask): { write(frame: Frame): void; flush(): void } {
  mkdirSync(dirname(path), { recursive: true })
  const file = openSync(path, 'w')
  let written = 0
  let pending: string[] = []
  let size = 0
  const flush = (): void => {
    if (pending.length > 0) writeSync(file, pending.join(''))
    pending = []
    size = 0
  }
  return {
    write(frame) {
      if (written > MAX_LOG_CHARS) return
      const line = `${JSON.stringify(maskFrame(frame, mask))}\n`
      pending.push(line)
      size += line.length
      written += line.length
      if (written > MAX_LOG_CHARS)
        pending.push(`${JSON.stringify({ note: `the log ends here: more than ${MAX_LOG_CHARS} characters` })}\n`)
      if (size > FLUSH_CHARS) flush()
    },
    flush,
  }
}

/** A target that floods us must not fill the disk. */
const MAX_LOG_CHARS = 256 * 1024 * 1024
const FLUSH_CHARS = 64 * 1024
/** Longer texts are cut in the log; the number of characters stays. */
const MAX_TEXT = 64 * 1024

function maskFrame(frame: Frame, mask: Mask): object {
  const cut = (text: string): string =>
    mask.text(text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}… (${text.length} characters)` : text)
  switch (frame.kind) {
    case 'message': {
      // The text says it all; the parsed value would only repeat it.
      const { json: _json, bytes, ...rest } = frame
      return { ...rest, text: cut(frame.text), ...(bytes === undefined ? {} : { bytes: bytes.slice(0, MAX_TEXT) }) }
    }
    case 'http':
      return {
        ...frame,
        headers: frame.headers.map(([name, value]) => [name, mask.header(name, value)]),
        start: mask.text(frame.start),
      }
    case 'sse':
      return { ...frame, raw: cut(frame.raw), ...(frame.data === undefined ? {} : { data: cut(frame.data) }) }
    case 'body':
    case 'stderr':
      return { ...frame, text: cut(frame.text) }
    default:
      return frame
  }
}
