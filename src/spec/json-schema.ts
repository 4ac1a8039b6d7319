/**
 * JSON Schema as MCP uses it (basic/index#json-schema-usage): a schema is read under the dialect that
 * its `$schema` names, else under 2020-12. Only what the dialect itself says counts: keywords and
 * formats that it does not know are allowed.
 */
import { createRequire } from 'node:module'
import type { Ajv, ValidateFunction } from 'ajv'

export const DEFAULT_DIALECT = 'https://json-schema.org/draft/2020-12/schema'

/** What `schemaProblems` and `instanceProblems` say about a dialect that we do not know either. */
export const UNKNOWN_DIALECT = 'unknown dialect'

/** Where ajv keeps a dialect; `meta` is the metaschema that this class does not bring along. */
const DIALECTS: Record<string, { module: string; meta?: string }> = {
  [DEFAULT_DIALECT]: { module: 'ajv/dist/2020' },
  'https://json-schema.org/draft/2019-09/schema': { module: 'ajv/dist/2019' },
  'http://json-schema.org/draft-07/schema': { module: 'ajv' },
  'http://json-schema.org/draft-06/schema': { module: 'ajv', meta: 'ajv/dist/refs/json-schema-draft-06.json' },
}

// Loaded where a schema is first looked at: most runs that only list or explain never come here.
const load = createRequire(import.meta.url)
const validators = new Map<string, Ajv>()

/** The dialect of a schema: what `$schema` names, without an empty fragment; `undefined` where that is no text. */
export function dialectOf(schema: unknown): string | undefined {
  const named = isObject(schema) && Object.hasOwn(schema, '$schema') ? schema.$schema : DEFAULT_DIALECT
  return typeof named === 'string' ? named.replace(/#$/, '') : undefined
}

/** What makes it no valid schema of its dialect, in one line; `undefined` where it is valid. */
export function schemaProblems(schema: unknown): string | undefined {
  const dialect = dialectOf(schema)
  if (dialect === undefined) return '$schema is no string'
  const ajv = validatorFor(dialect)
  if (ajv === undefined) return UNKNOWN_DIALECT
  const valid = ajv.getSchema(dialect)
  if (valid === undefined) return UNKNOWN_DIALECT
  try {
    return valid(schema) === true ? undefined : firstError(valid.errors, '#')
  } catch {
    // Nested so deeply that the stack ends: nothing can be said about it.
    return undefined
  }
}

/** What makes a value no instance of the schema, under the dialect of the schema. */
export function instanceProblems(schema: unknown, value: unknown): string | undefined {
  const problem = schemaProblems(schema)
  if (problem !== undefined) return problem
  try {
    const valid = compiled(schema)
    return valid === undefined || valid(value) === true ? undefined : firstError(valid.errors, 'the value')
  } catch (problem) {
    // A reference that leads nowhere, a pattern that is no regular expression.
    return `the schema cannot be applied: ${problem instanceof Error ? problem.message : String(problem)}`
  }
}

/** Compiling is dear, and the tools of a server are listed again and again: the last ones are kept, by their text. */
const kept = new Map<string, ValidateFunction>()
const MAX_KEPT = 256
const MAX_KEPT_LENGTH = 64 * 1024

function compiled(schema: unknown): ValidateFunction | undefined {
  const text = JSON.stringify(schema)
  const known = kept.get(text)
  if (known !== undefined) return known
  const ajv = validatorFor(dialectOf(schema) ?? '')
  try {
    const valid = ajv?.compile(schema as object)
    if (valid === undefined || text.length > MAX_KEPT_LENGTH) return valid
    for (const oldest of kept.keys()) if (kept.size >= MAX_KEPT) kept.delete(oldest)
    kept.set(text, valid)
    return valid
  } finally {
    // The same $id may come again, in another version of the schema.
    if (isObject(schema)) ajv?.removeSchema(schema)
  }
}

function validatorFor(dialect: string): Ajv | undefined {
  const known = validators.get(dialect)
  if (known !== undefined || !Object.hasOwn(DIALECTS, dialect)) return known
  const { module, meta } = DIALECTS[dialect] as { module: string; meta?: string }
  const { default: Validator } = load(module) as { default: typeof Ajv }
  // Most schemas are applied once: making the code of a validator smaller costs more than that saves.
  const code = { optimize: false }
  const ajv = new Validator({ strict: false, validateFormats: false, validateSchema: false, logger: false, code })
  if (meta !== undefined) ajv.addMetaSchema(load(meta) as object)
  validators.set(dialect, ajv)
  return ajv
}

interface Problem {
  instancePath: string
  message?: string
}

const firstError = (errors: readonly Problem[] | null | undefined, root: string): string => {
  const first = errors?.[0]
  return `${root}${first?.instancePath ?? ''} ${first?.message ?? 'is not valid'}`
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
