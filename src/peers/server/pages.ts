/** Lists in pages (server/utilities/pagination). */
import { codes, type Json, type JsonObject } from '../../wire/json-rpc.ts'
import type { Answer } from '../correlator.ts'

interface Page {
  entries: readonly JsonObject[]
  nextCursor?: Json
}

/** The page behind a cursor, or the first one; undefined where the cursor is none of ours. */
export type Pager = (entries: readonly JsonObject[], cursor: Json | undefined) => Page | undefined

/** Pages of so many entries. */
export const pagesOf =
  (size: number): Pager =>
  (entries, cursor) => {
    const from = cursor === undefined ? 0 : placeOf(cursor)
    if (from === undefined || (from > 0 && from >= entries.length)) return undefined
    const to = from + size
    return { entries: entries.slice(from, to), ...(to < entries.length ? { nextCursor: cursorTo(to) } : {}) }
  }

/** The answer to a request for a list. */
export function listPage(
  pager: Pager,
  member: string,
  entries: readonly JsonObject[],
  cursor: Json | undefined,
): Exclude<Answer, 'silence'> {
  const page = pager(entries, cursor)
  if (page === undefined) return { error: { code: codes.invalidParams, message: 'this cursor is not ours' } }
  const { entries: members, ...rest } = page
  return { result: { [member]: [...members], ...rest } }
}

// A cursor is opaque: its form is nobody's business.
const cursorTo = (place: number): string => Buffer.from(`place ${place}`).toString('base64url')

function placeOf(cursor: Json): number | undefined {
  const [, place] = /^place ([1-9]\d*)$/.exec(Buffer.from(String(cursor), 'base64url').toString()) ?? []
  return place === undefined || cursorTo(Number(place)) !== cursor ? undefined : Number(place)
}
