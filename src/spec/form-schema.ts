/**
 * The restricted JSON Schema of a form (client/elicitation#requested-schema): which kind of field a property is, and what
 * is wrong with it. A keyword that the kind does not have is no more than a tolerable problem: the schema is not closed.
 */

export type FieldKind = 'string' | 'number' | 'boolean' | 'single choice' | 'multiple choice'

export interface FieldProblem {
  kind: 'missing' | 'wrong-type' | 'wrong-value' | 'unasked'
  problem: string
  tolerable: boolean
}

/** The kind of field; undefined for what a form may not have: objects, references, combinations of schemas. */
export function fieldKind(field: unknown): FieldKind | undefined {
  if (!isObject(field)) return undefined
  const { type, items } = field
  if (type === 'number' || type === 'integer') return 'number'
  if (type === 'boolean') return 'boolean'
  if (type === 'string' || type === undefined) {
    if (Array.isArray(field.enum) || Array.isArray(field.oneOf)) return 'single choice'
    return type === 'string' ? 'string' : undefined
  }
  return type === 'array' && isObject(items) && !NESTED.has(items.type) && !Object.hasOwn(items, '$ref')
    ? 'multiple choice'
    : undefined
}

const NESTED = new Set<unknown>(['object', 'array'])

/** What is wrong with a field of that kind; undefined where nothing is. */
export function fieldProblem(kind: FieldKind, field: Record<string, unknown>): FieldProblem | undefined {
  const { keywords, check } = KINDS[kind]
  const rules: Record<string, Rule> = { type: isText, title: isText, description: isText, ...keywords }
  for (const [keyword, value] of Object.entries(field)) {
    const rule = rules[keyword]
    if (rule?.(value) !== false) continue
    const typed = typeOf(value) === (keyword === 'default' ? DEFAULTS[kind] : (TYPES[keyword] ?? 'string'))
    const problem = `${keyword} is ${JSON.stringify(value)}`
    return { kind: typed ? 'wrong-value' : 'wrong-type', problem, tolerable: false }
  }
  const problem = check?.(field)
  if (problem !== undefined) return { ...problem, tolerable: false }
  const unknown = Object.keys(field).find(keyword => !Object.hasOwn(rules, keyword))
  return unknown === undefined
    ? undefined
    : { kind: 'unasked', problem: `a ${kind} has no keyword ${unknown}`, tolerable: true }
}

const typeOf = (value: unknown): string => (Array.isArray(value) ? 'array' : typeof value)

/** The types of keywords that are no texts. */
const TYPES: Record<string, string> = {
  minLength: 'number',
  maxLength: 'number',
  minimum: 'number',
  maximum: 'number',
  enum: 'array',
  oneOf: 'array',
  enumNames: 'array',
  minItems: 'number',
  maxItems: 'number',
  items: 'object',
}
const DEFAULTS: Record<FieldKind, string> = {
  string: 'string',
  number: 'number',
  boolean: 'boolean',
  'single choice': 'string',
  'multiple choice': 'array',
}

type Rule = (value: unknown) => boolean

const isText: Rule = value => typeof value === 'string'
const isNumber: Rule = value => typeof value === 'number'
const isFlag: Rule = value => typeof value === 'boolean'
const isCount: Rule = value => Number.isInteger(value) && (value as number) >= 0
const isTexts: Rule = value => Array.isArray(value) && value.every(isText)
const isChoices: Rule = value =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every(one => isObject(one) && isText(one.const) && isText(one.title))
const isValues: Rule = value => isTexts(value) && (value as unknown[]).length > 0

/** What is wrong with the keywords taken together. */
type Lack = Omit<FieldProblem, 'tolerable'>

const FORMATS = ['email', 'uri', 'date', 'date-time']

const KINDS: Record<
  FieldKind,
  { keywords: Record<string, Rule>; check?: (field: Record<string, unknown>) => Lack | undefined }
> = {
  string: {
    keywords: {
      minLength: isCount,
      maxLength: isCount,
      // Shown on the page, missing in the schema (traps 55).
      pattern: isText,
      format: value => FORMATS.includes(value as string),
      default: isText,
    },
  },
  number: { keywords: { minimum: isNumber, maximum: isNumber, default: isNumber } },
  boolean: { keywords: { default: isFlag } },
  'single choice': {
    // enumNames is the form of old: it stays until it is removed.
    keywords: { enum: isValues, oneOf: isChoices, enumNames: isTexts, default: isText },
    check({ type, enum: plain, oneOf, default: chosen }) {
      if (type !== 'string') return { kind: 'missing', problem: 'a choice without the type string' }
      const values = Array.isArray(plain) ? plain : valuesOf(oneOf)
      return chosen === undefined || values.includes(chosen)
        ? undefined
        : { kind: 'wrong-value', problem: 'the default is none of the choices' }
    },
  },
  'multiple choice': {
    keywords: { minItems: isCount, maxItems: isCount, default: isTexts, items: isObject },
    check({ items, default: chosen }) {
      const { type, enum: plain, anyOf } = items as Record<string, unknown>
      const untitled = type === 'string' && isValues(plain)
      if (!untitled && !isChoices(anyOf))
        return { kind: 'missing', problem: 'items have neither enum with strings nor anyOf with const and title' }
      const values = untitled ? (plain as unknown[]) : valuesOf(anyOf)
      return chosen === undefined || (chosen as unknown[]).every(one => values.includes(one))
        ? undefined
        : { kind: 'wrong-value', problem: 'the default has something that is none of the choices' }
    },
  },
}

const valuesOf = (choices: unknown): unknown[] =>
  Array.isArray(choices) ? choices.map(one => (isObject(one) ? one.const : undefined)) : []

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
