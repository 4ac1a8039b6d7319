/** Says in a few words what a schema asks for and what a value is. */
import { isObject, loadProtocol, nameIn } from './protocol.ts'
import { isRevision } from './revision.ts'

const TYPES: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  integer: 'an integer',
  boolean: 'a boolean',
  object: 'an object',
  array: 'an array',
  null: 'null',
}

const FORMATS: Record<string, string> = {
  uri: 'a URI (RFC 3986)',
  'uri-template': 'a URI template (RFC 6570)',
  byte: 'a string in base64',
}

/** The shape that a schema of ours asks for. */
export function wordsForSchema(schema: unknown): string {
  const words = [...new Set(choicesOf(schema))]
  return words.length < 3 ? words.join(' or ') : `one of ${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}

function choicesOf(schema: unknown): string[] {
  if (!isObject(schema)) return ['any value']
  if ('const' in schema) return [JSON.stringify(schema.const)]
  if (Array.isArray(schema.enum)) return schema.enum.map(value => JSON.stringify(value))
  if (typeof schema.format === 'string') return [FORMATS[schema.format] ?? schema.format]
  if (schema.minimum !== undefined && schema.maximum !== undefined)
    return [`a number from ${schema.minimum} to ${schema.maximum}`]
  if (schema.type !== undefined) return [schema.type].flat().map(type => TYPES[String(type)] ?? String(type))
  if (Array.isArray(schema.anyOf)) return schema.anyOf.flatMap(choicesOf)
  const referred = definitionAt(schema.$ref)
  return referred === undefined ? ['an object'] : choicesOf(referred)
}

/** The definition behind a reference that the loader has made absolute. */
function definitionAt($ref: unknown): unknown {
  const revision = typeof $ref === 'string' ? /^mcp:([\d-]+)#/.exec($ref)?.[1] : undefined
  const name = nameIn({ $ref })
  return isRevision(revision) && name !== undefined ? loadProtocol(revision)?.document.$defs[name] : undefined
}

/** Long enough to recognise a value, short enough for a line. */
const SHOWN = 60

export function wordsForValue(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'an empty array' : `an array of ${value.length}`
  if (isObject(value)) {
    const names = Object.keys(value)
    const some = names.slice(0, 3).map(name => JSON.stringify(name.slice(0, SHOWN)))
    if (names.length === 0) return 'an empty object'
    return `an object with ${some.join(', ')}${names.length > some.length ? ' and more' : ''}`
  }
  if (typeof value === 'string' && value.length > SHOWN)
    return `${JSON.stringify(value.slice(0, SHOWN))}… (${value.length} characters)`
  return JSON.stringify(value) ?? 'nothing'
}
