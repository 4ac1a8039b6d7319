/**
 * Makes values that match a JSON Schema, and puts one fault into them. It knows the keywords that the
 * schemas of the wire use, ours and the published ones, and no others.
 */
import fc from 'fast-check'
import { isObject, type Schema } from './protocol.ts'

/** Finds what a `$ref` leads to. */
export type Resolve = ($ref: string) => unknown

const FORMATS: Record<string, string[]> = {
  uri: ['https://example.com/a?b#c', 'file:///tmp', 'urn:x:y'],
  'uri-template': ['test://{id}/x', 'file:///{path*}', 'plain'],
  byte: ['', 'aGVsbG8=', 'AAAA'],
}
const STRINGS = fc.constantFrom('', 'a', 'text', 'ü✓', '2025-11-25')
const SMALL: unknown[] = [null, true, false, 0, 1, -1, 1.5, '', 'text', 'a b', 'object', [], ['x'], [{}], {}, { x: 1 }]

/** Of the members that may be absent, objects get a few or all of them. */
export type Fullness = 'few' | 'all'

/** Values that match. */
export function valuesOf(schema: unknown, resolve: Resolve, fullness: Fullness = 'few'): fc.Arbitrary<unknown> {
  if (!isObject(schema)) return fc.constantFrom(...SMALL)
  const inside = (one: unknown): fc.Arbitrary<unknown> => valuesOf(one, resolve, fullness)
  const flat = flatten(schema, resolve)
  if ('const' in flat) return fc.constant(flat.const)
  if (Array.isArray(flat.enum)) return fc.constantFrom(...flat.enum)
  if (Array.isArray(flat.anyOf)) {
    const { anyOf, ...rest } = flat
    return fc.oneof(...flat.anyOf.map(branch => inside({ allOf: [rest, branch] })))
  }
  if (Array.isArray(flat.type)) return fc.oneof(...flat.type.map(type => inside({ ...flat, type })))
  switch (flat.type) {
    case 'string':
      return typeof flat.format === 'string' ? fc.constantFrom(...(FORMATS[flat.format] ?? [])) : STRINGS
    case 'integer':
      return fc.constantFrom(0, 1, -1, 2 ** 40)
    case 'number':
      return flat.maximum === undefined ? fc.constantFrom(0, 0.5, -1, 1e21) : fc.constantFrom(0, 0.5, 1)
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return fc.array(inside(flat.items), { minLength: fullness === 'all' ? 1 : 0, maxLength: 2 })
    case 'object':
      return objectsOf(flat, inside, fullness)
    default:
      return fc.constantFrom(...SMALL)
  }
}

function objectsOf(
  flat: Schema,
  inside: (schema: unknown) => fc.Arbitrary<unknown>,
  fullness: Fullness,
): fc.Arbitrary<unknown> {
  const own = Object.entries(membersOf(flat)).map(([name, schema]) => [name, inside(schema)] as const)
  const required = Array.isArray(flat.required) ? flat.required : []
  const optional = own.map(([name]) => name).filter(name => !required.includes(name))
  const others = fc.dictionary(fc.constantFrom('x-own', 'b'), inside(flat.additionalProperties), {
    maxKeys: 1,
    noNullPrototype: true,
  })
  const least = fullness === 'all' ? optional.length : 0
  const most = fullness === 'all' ? optional.length : Math.min(FEW, optional.length)
  return fc.subarray(optional, { minLength: least, maxLength: most }).chain(chosen => {
    const present = own.filter(([name]) => required.includes(name) || chosen.includes(name))
    const members = fc.record(Object.fromEntries(present), { noNullPrototype: true })
    return fc.tuple(others, members).map(([more, these]) => ({ ...more, ...these }))
  })
}

/** With more of them lists of tools would be forests. */
const FEW = 3

/** References and allOf written out, as far as the outermost object goes. */
function flatten(schema: Schema, resolve: Resolve): Schema {
  const { $ref, allOf, ...own } = schema
  const parts = [typeof $ref === 'string' ? resolve($ref) : undefined, ...(Array.isArray(allOf) ? allOf : [])]
  return parts.filter(isObject).reduceRight<Schema>((rest, part) => join(flatten(part, resolve), rest), own)
}

function join(a: Schema, b: Schema): Schema {
  const required = [a.required, b.required].filter(Array.isArray).flat()
  const properties = { ...membersOf(a) }
  for (const [name, inside] of Object.entries(membersOf(b)))
    properties[name] = Object.hasOwn(properties, name) ? { allOf: [properties[name], inside] } : inside
  return {
    ...a,
    ...b,
    ...(required.length === 0 ? {} : { required }),
    ...(Object.keys(properties).length === 0 ? {} : { properties, type: b.type ?? a.type ?? 'object' }),
  }
}

const membersOf = (schema: Schema): Record<string, unknown> => (isObject(schema.properties) ? schema.properties : {})

/** The value with one fault somewhere: a member that is gone, changed or added; it may turn out to be legal. */
export const oneFault = (value: unknown, names: readonly string[]): fc.Arbitrary<unknown> =>
  fc
    .tuple(
      fc.constantFrom(...placesIn(value)),
      fc.constantFrom(...names),
      fc.constantFrom(...SMALL),
      fc.constantFrom('remove', 'replace', 'replace', 'add'),
    )
    .map(([place, name, other, how]) =>
      changed(value, place, inside => {
        if (how === 'remove') return undefined
        return how === 'add' && isObject(inside) ? { ...inside, [name]: other } : other
      }),
    )

/** The value with each member gone, and with each place changed to something else, one at a time. */
export function* eachFault(value: unknown): Generator<unknown> {
  for (const place of placesIn(value)) {
    for (const other of [undefined, ...SMALL]) yield changed(value, place, () => other)
  }
}

type Place = readonly (string | number)[]

function placesIn(value: unknown): Place[] {
  const inside: [string | number, unknown][] = Array.isArray(value)
    ? value.map((one, index) => [index, one])
    : isObject(value)
      ? Object.entries(value)
      : []
  return [[], ...inside.flatMap(([step, one]) => placesIn(one).map(place => [step, ...place]))]
}

function changed(value: unknown, [step, ...rest]: Place, change: (value: unknown) => unknown): unknown {
  if (step === undefined) return change(value) ?? null
  if (Array.isArray(value)) return value.map((one, index) => (index === step ? changed(one, rest, change) : one))
  if (!isObject(value)) return value
  const { [step]: one, ...others } = value
  const after = rest.length === 0 ? change(one) : changed(one, rest, change)
  return after === undefined ? others : { ...others, [step]: after }
}
