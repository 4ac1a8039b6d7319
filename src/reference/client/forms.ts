/** Filling in a form (client/elicitation#requested-schema): what the user enters, what is in the fields, what they must have. */

import { isUri } from '../../spec/content.ts'
import { instanceProblems } from '../../spec/json-schema.ts'
import { synthesize } from '../../spec/synthesize.ts'
import { at, isObject, type Json, type JsonObject } from '../../wire/json-rpc.ts'

const fieldsOf = (schema: JsonObject): [string, Json][] =>
  Object.entries(isObject(schema.properties) ? schema.properties : {}).flatMap(([name, field]) =>
    field === undefined ? [] : [[name, field]],
  )

/** What is in the fields when the form is opened. */
export const defaultsOf = (schema: JsonObject): JsonObject =>
  Object.fromEntries(
    fieldsOf(schema).flatMap(([name, field]) => {
      const value = at(field, 'default')
      return value === undefined ? [] : [[name, value]]
    }),
  )

/** A user without wishes enters the least: a value for each field that must have one. */
export function fillIn(schema: JsonObject, entered: JsonObject | undefined): JsonObject {
  const prefilled = defaultsOf(schema)
  if (entered !== undefined) return { ...prefilled, ...entered }
  const required = Array.isArray(schema.required) ? schema.required : []
  const missing = fieldsOf(schema).flatMap(([name, field]) => {
    if (!required.includes(name) || Object.hasOwn(prefilled, name)) return []
    const value = valueFor(field)
    return value === undefined ? [] : [[name, value]]
  })
  return { ...prefilled, ...Object.fromEntries(missing) }
}

/** A list of choices may have a lower bound that one value alone does not reach. */
function valueFor(field: Json): Json | undefined {
  const least = at(field, 'minItems')
  const listed = at(field, 'items', 'enum') ?? at(field, 'items', 'anyOf')
  if (typeof least === 'number' && Array.isArray(listed))
    return listed.slice(0, least).map(one => at(one, 'const') ?? one)
  return synthesize(field) as Json | undefined
}

const FORMATS: Record<string, (text: string) => boolean> = {
  email: text => /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)*$/.test(text),
  uri: isUri,
  date: text => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)),
  'date-time': text =>
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i.test(text) && !Number.isNaN(Date.parse(text)),
}

/** What keeps the entries from being an answer to the form; undefined where nothing does. */
export function contentProblem(schema: JsonObject, content: JsonObject): string | undefined {
  // The dialect of a form is given: whatever it calls itself.
  const { $schema: _, ...plain } = schema
  const problem = instanceProblems(plain, content)
  if (problem !== undefined) return problem
  for (const [name, field] of fieldsOf(schema)) {
    const format = at(field, 'format')
    const value = content[name]
    const fits = typeof format === 'string' && Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined
    if (typeof value === 'string' && fits?.(value) === false) return `${name} is no ${String(format)}`
  }
  return undefined
}
