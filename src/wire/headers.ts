/** Header fields as they came: in their order and with their repetitions; names are compared without case. */
import type { HeaderList } from './log.ts'

/** Pairs of the flat list that Node and undici hand out. */
export function headerPairs(raw: unknown): HeaderList {
  if (!Array.isArray(raw)) return []
  const list: HeaderList = []
  for (let i = 0; i + 1 < raw.length; i += 2) list.push([latin1(raw[i]), latin1(raw[i + 1])])
  return list
}

// Field values are bytes; latin1 keeps each of them visible.
const latin1 = (value: unknown): string => (Buffer.isBuffer(value) ? value.toString('latin1') : String(value))

/** The values of a header field. */
export const headerValues = (headers: HeaderList, name: string): string[] =>
  headers.filter(([key]) => key.toLowerCase() === name.toLowerCase()).map(([, value]) => value)

export const headerValue = (headers: HeaderList, name: string): string | undefined => headerValues(headers, name)[0]

/** The media type without its parameters, in lower case. */
export const mediaType = (contentType: string | undefined): string =>
  (contentType ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
