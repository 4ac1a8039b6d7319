/**
 * The header fields that repeat parts of a message (basic/transports/streamable-http#request-metadata).
 * They are computed for each message from the message, so that a fault in one of the two is the
 * doing of whoever asked for it.
 */
import { headerText, META, NAMED_BY } from '../spec/request-metadata.ts'
import { at, isObject, type Json, type JsonObject, textAt } from '../wire/json-rpc.ts'
import type { HeaderList } from '../wire/log.ts'

export function mirroredHeaders(
  message: Json | undefined,
  version: string,
  toolNamed: (name: string) => Json | undefined,
): HeaderList {
  const said = textAt(message, 'params', '_meta', META.version)
  const method = textAt(message, 'method')
  const headers: HeaderList = [['MCP-Protocol-Version', said ?? version]]
  if (method === undefined) return headers
  headers.push(['Mcp-Method', method])
  const named = Object.hasOwn(NAMED_BY, method) ? textAt(message, 'params', NAMED_BY[method] ?? '') : undefined
  if (named === undefined) return headers
  headers.push(['Mcp-Name', headerText(named)])
  if (method === 'tools/call') headers.push(...parameterHeaders(toolNamed(named), at(message, 'params', 'arguments')))
  return headers
}

/** `Mcp-Param-*` for each argument that the schema of the tool wants to see there. */
export function parameterHeaders(tool: Json | undefined, values: Json | undefined): HeaderList {
  return annotated(at(tool, 'inputSchema')).flatMap(({ name, path }): HeaderList => {
    const value = at(values, ...path)
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return []
    return [[`Mcp-Param-${name}`, headerText(String(value))]]
  })
}

/** Schemas of tools are foreign: a chain of `properties` is followed this deep. */
const MAX_DEPTH = 20

/** A field name that RFC 9110 allows. */
const TOKEN = /^[!#$%&'*+.^_`|~\w-]+$/

/** The annotations that can be reached by `properties` alone; others make the tool invalid and are left out. */
function annotated(schema: Json | undefined, path: string[] = []): { name: string; path: string[] }[] {
  const properties = at(schema, 'properties')
  if (!isObject(properties) || path.length >= MAX_DEPTH) return []
  return Object.entries(properties as JsonObject).flatMap(([key, inside]) => {
    const name = textAt(inside, 'x-mcp-header')
    const here = [...path, key]
    const own = name !== undefined && TOKEN.test(name) ? [{ name, path: here }] : []
    return [...own, ...annotated(inside, here)]
  })
}
