/**
 * What each message says about itself where there is no session (basic/index#meta), and how it is repeated in header fields
 * (basic/transports/streamable-http#request-metadata).
 */

const PREFIX = 'io.modelcontextprotocol/'

/** The members of `_meta` that the protocol defines. */
export const META = {
  version: `${PREFIX}protocolVersion`,
  capabilities: `${PREFIX}clientCapabilities`,
  clientInfo: `${PREFIX}clientInfo`,
  serverInfo: `${PREFIX}serverInfo`,
  subscription: `${PREFIX}subscriptionId`,
} as const

/** The member of params that stands in Mcp-Name. */
export const NAMED_BY: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
}

const PLAIN = /^[\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?$/
const SENTINEL = /^=\?base64\?(.*)\?=$/
const BASE64 = /^(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?$/

/** Text as a field value: as it is where that is safe, else base64 between the two marks. */
export const headerText = (text: string): string => (PLAIN.test(text) && !SENTINEL.test(text) ? text : encoded(text))

/** Text between the two marks, also where it would be safe without them. */
export const encoded = (text: string): string => `=?base64?${Buffer.from(text, 'utf8').toString('base64')}?=`

/** The text that a field value stands for; undefined where what is between the marks is no base64 of UTF-8. */
export function textOfHeader(value: string): string | undefined {
  const [, inside] = SENTINEL.exec(value) ?? []
  if (inside === undefined) return value
  if (!BASE64.test(inside)) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(inside, 'base64'))
  } catch {
    return undefined
  }
}
