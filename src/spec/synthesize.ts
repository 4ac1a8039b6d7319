/**
 * Arguments for a tool that we know by its inputSchema only: the smallest instance that the schema
 * allows, so that a call asks for as little as it can. Optional members are left out, numbers are small,
 * and what the schema itself suggests (`const`, `default`, `enum`) comes first. Every value is checked
 * against the schema before it is given out; where none is found there is none.
 */
import { instanceProblems } from './json-schema.ts'
import { type Branch, type Budget, flatten } from './schema-branches.ts'
import { textFor } from './synthesize-text.ts'

type Value = null | boolean | number | string | Value[] | { [member: string]: Value }

/** Deeper values are not built: a schema that requires itself has no instance at all. */
const MAX_DEPTH = 12

/** Readings of a schema (its `anyOf` and `oneOf` taken one way) that are tried before we give up. */
const MAX_READINGS = 32

/** Schemas are foreign: one that branches without end must not keep us busy. Real ones need a few dozen steps. */
const MAX_STEPS = 5_000

/** More elements than this are asked for by nobody who means a real tool. */
const MAX_ITEMS = 64

interface Making {
  root: unknown
  pick: Pick
  budget: Budget
  /** A `default` or an example may be wrong; then it is made without them. */
  hints: 'taken' | 'ignored'
}

/** Which of so many possibilities; always the first without a seed. */
type Pick = (count: number) => number

/** Members for the arguments of a tool; `undefined` where the schema describes no object, or none that we can find. */
export function argumentsFor(inputSchema: unknown, seed = 0): { [member: string]: Value } | undefined {
  const value = synthesize(inputSchema, seed)
  return isObject(value) ? (value as { [member: string]: Value }) : undefined
}

/** A small instance of the schema; the same seed makes the same one. */
export function synthesize(schema: unknown, seed = 0): Value | undefined {
  const tried = new Set<string>()
  for (const hints of ['taken', 'ignored'] as const) {
    const making: Making = { root: schema, pick: picker(seed), budget: { steps: MAX_STEPS }, hints }
    for (const branch of readings(schema, making)) {
      const value = valueFor(branch, making, 0)
      const key = JSON.stringify(value)
      if (value === undefined || tried.has(key)) continue
      if (instanceProblems(schema, value) === undefined) return value
      tried.add(key)
    }
  }
  return undefined
}

function valueFor(branch: Branch, making: Making, depth: number): Value | undefined {
  if (depth > MAX_DEPTH) return undefined
  const suggested = suggestion(branch, making)
  if (suggested !== undefined) return suggested
  switch (typeOf(branch)) {
    case 'object':
      return objectOf(branch, making, depth)
    case 'array':
      return arrayOf(branch, making, depth)
    case 'string':
      return textFor(branch, making.pick)
    case 'integer':
      return numberOf(branch, 1, making.pick)
    case 'number':
      return numberOf(branch, 0, making.pick)
    case 'boolean':
      return making.pick(2) === 1
    case 'null':
      return null
    default:
      return undefined
  }
}

/** The first reading of a part of the schema that gives a value. */
function partOf(schema: unknown, making: Making, depth: number): Value | undefined {
  for (const branch of readings(schema, making)) {
    const value = valueFor(branch, making, depth + 1)
    if (value !== undefined) return value
  }
  return undefined
}

/** What the schema names itself. */
function suggestion(branch: Branch, { hints, pick }: Making): Value | undefined {
  if (branch.const !== undefined) return branch.const as Value
  // Where null is the default, it mostly says that there is none.
  if (hints === 'taken' && branch.default !== undefined && branch.default !== null) return branch.default as Value
  for (const listed of [branch.enum, hints === 'taken' ? branch.examples : undefined])
    if (Array.isArray(listed) && listed.length > 0) return listed[pick(listed.length)] as Value
  return undefined
}

/** The type that it names, else the one that its other keywords are about. */
function typeOf(branch: Branch): string {
  const named = Array.isArray(branch.type) ? (branch.type.find(type => type !== 'null') ?? branch.type[0]) : branch.type
  if (typeof named === 'string') return named
  if (branch.properties !== undefined || branch.required !== undefined) return 'object'
  if (branch.items !== undefined || branch.prefixItems !== undefined || branch.minItems !== undefined) return 'array'
  if (branch.minimum !== undefined || branch.maximum !== undefined || branch.multipleOf !== undefined) return 'number'
  return 'string'
}

function objectOf(branch: Branch, making: Making, depth: number): Value | undefined {
  const properties = isObject(branch.properties) ? branch.properties : {}
  const required = new Set(Array.isArray(branch.required) ? branch.required.map(String) : [])
  const least = typeof branch.minProperties === 'number' ? branch.minProperties : 0
  for (const name of [...Object.keys(properties), ...extraNames(least)]) if (required.size < least) required.add(name)
  const members: [string, Value][] = []
  for (const name of required) {
    const value = partOf(memberSchema(branch, properties, name), making, depth)
    if (value === undefined) return undefined
    members.push([name, value])
  }
  return Object.fromEntries(members)
}

function memberSchema(branch: Branch, properties: Record<string, unknown>, name: string): unknown {
  if (Object.hasOwn(properties, name)) return properties[name]
  const patterns = isObject(branch.patternProperties) ? Object.entries(branch.patternProperties) : []
  const fitting = patterns.find(([pattern]) => matches(pattern, name))
  return fitting === undefined ? (branch.additionalProperties ?? true) : fitting[1]
}

/** Names for members of which the schema only says how many there must be. */
const extraNames = (count: number): string[] =>
  Array.from({ length: Math.min(count, MAX_ITEMS) }, (_, i) => `m${i + 1}`)

function arrayOf(branch: Branch, making: Making, depth: number): Value | undefined {
  // Up to draft 2019-09 a list of schemas in `items` means what `prefixItems` means now.
  const tuple = Array.isArray(branch.prefixItems) ? branch.prefixItems : Array.isArray(branch.items) ? branch.items : []
  const rest = Array.isArray(branch.items) ? (branch.additionalItems ?? true) : (branch.items ?? true)
  const least = typeof branch.minItems === 'number' ? branch.minItems : branch.contains === undefined ? 0 : 1
  if (least > MAX_ITEMS) return undefined
  const items: Value[] = []
  for (let index = 0; index < least; index += 1) {
    const schema = index < tuple.length ? tuple[index] : (branch.contains ?? rest)
    const value = partOf(schema, making, depth)
    if (value === undefined) return undefined
    items.push(branch.uniqueItems === true ? another(value, items, schema) : value)
  }
  return items
}

/** A value that is not there yet, where one is easily made. */
function another(value: Value, items: readonly Value[], schema: unknown): Value {
  const isNew = (candidate: Value): boolean => !items.some(item => JSON.stringify(item) === JSON.stringify(candidate))
  const listed = isObject(schema) && Array.isArray(schema.enum) ? (schema.enum as Value[]) : []
  const varied = Array.from(
    { length: items.length + 1 },
    (_, step): Value =>
      typeof value === 'number' ? value + step : typeof value === 'string' ? `${value}${step}` : value,
  )
  return [value, ...listed, ...varied].find(isNew) ?? value
}

function numberOf(branch: Branch, step: 0 | 1, pick: Pick): number {
  const inwards = step === 1 ? 1 : 0.5
  const low = largest(branch.minimum, plus(branch.exclusiveMinimum, inwards)) ?? Number.NEGATIVE_INFINITY
  const high = -(
    largest(minus(branch.maximum), plus(minus(branch.exclusiveMaximum), inwards)) ?? Number.NEGATIVE_INFINITY
  )
  // Bounds so close that a step inwards leads out again.
  if (low > high) return (low + high) / 2
  const wanted = Math.min(Math.max(1 + pick(3), low), high)
  const unit = typeof branch.multipleOf === 'number' && branch.multipleOf > 0 ? branch.multipleOf : step
  if (unit === 0) return wanted
  const rounded = Math.ceil(wanted / unit) * unit
  return rounded > high ? Math.floor(high / unit) * unit : rounded
}

/** Draft-04 has booleans as exclusive bounds; what is no number is no bound. */
const plus = (bound: unknown, step: number): number | undefined =>
  typeof bound === 'number' ? bound + step : undefined

const minus = (bound: unknown): number | undefined => (typeof bound === 'number' ? -bound : undefined)

function largest(...bounds: unknown[]): number | undefined {
  const numbers = bounds.filter(bound => typeof bound === 'number')
  return numbers.length === 0 ? undefined : Math.max(...numbers)
}

/** Small, and good enough to vary choices (a linear congruence); 0 varies nothing. */
function picker(seed: number): Pick {
  // Small seeds must lie far apart, too.
  let state = Math.imul(seed, 0x9e3779b1) >>> 0
  return count => {
    if (seed === 0 || count < 2) return 0
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * count)
  }
}

function* readings(schema: unknown, { root, budget }: Making): Iterable<Branch> {
  let given = 0
  for (const branch of flatten(schema, root, budget)) {
    if (given >= MAX_READINGS) return
    given += 1
    yield branch
  }
}

function matches(pattern: string, text: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(text)
  } catch {
    return false
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
