/** The header fields of a POST that repeat what is in it (basic/transports/streamable-http#request-metadata). */
import { headerText, META, NAMED_BY } from '../../../spec/request-metadata.ts'
import { type Json, textAt } from '../../../wire/json-rpc.ts'

export const versionIn = (message: Json | undefined): string | undefined =>
  textAt(message, 'params', '_meta', META.version)

export function mirrored(message: Json | undefined): Record<string, string> {
  const method = textAt(message, 'method')
  if (method === undefined) return {}
  const member = Object.hasOwn(NAMED_BY, method) ? NAMED_BY[method] : undefined
  const name = member === undefined ? undefined : textAt(message, 'params', member)
  return { 'Mcp-Method': method, ...(name === undefined ? {} : { 'Mcp-Name': headerText(name) }) }
}
