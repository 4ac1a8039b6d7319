/** The header fields of a request, by the policies: a field without a value is left out. */
import type { HttpRules, HttpView } from './http-rules.ts'

export function headersFor(rules: HttpRules, view: HttpView): Record<string, string> {
  const all: Record<string, string | undefined> = {
    Accept: rules.accept(view),
    'Content-Type': rules.contentType(view),
    'MCP-Session-Id': rules.sessionHeader(view),
    'MCP-Protocol-Version': rules.versionHeader(view),
    'Last-Event-ID': view.lastEventId === undefined ? undefined : bytesOf(view.lastEventId),
    ...rules.headers(view),
  }
  return Object.fromEntries(Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined))
}

/** A header field is bytes: what is no ASCII goes out as it came in. */
const bytesOf = (text: string): string => Buffer.from(text, 'utf8').toString('latin1')
