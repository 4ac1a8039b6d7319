import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { instanceProblems } from './json-schema.ts'
import { argumentsFor, synthesize } from './synthesize.ts'

describe('what it makes', () => {
  test.each<[string, unknown, unknown]>([
    ['nothing where nothing is required', { type: 'object', properties: { a: { type: 'string' } } }, {}],
    [
      'required members only, numbers small',
      {
        type: 'object',
        properties: { text: { type: 'string' }, count: { type: 'integer' }, ratio: { type: 'number' }, more: {} },
        required: ['text', 'count', 'ratio'],
      },
      { text: 'test', count: 1, ratio: 1 },
    ],
    [
      'the const, the default, the first of an enum, the first example',
      {
        type: 'object',
        properties: {
          kind: { const: 'x' },
          unit: { type: 'string', default: 'C' },
          size: { enum: ['S', 'M'] },
          code: { type: 'string', examples: ['AB-1'] },
        },
        required: ['kind', 'unit', 'size', 'code'],
      },
      { kind: 'x', unit: 'C', size: 'S', code: 'AB-1' },
    ],
    ['its own value where the default does not fit', { type: 'string', default: 5 }, 'test'],
    ['no null for the default null', { type: ['string', 'null'], default: null }, 'test'],
    ['a number within bounds', { type: 'integer', minimum: 10, maximum: 20 }, 10],
    ['a number beyond exclusive bounds', { type: 'integer', exclusiveMinimum: 5 }, 6],
    ['a number between close bounds', { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 0.5 }, 0.25],
    ['a negative number', { type: 'integer', maximum: -3 }, -3],
    ['a multiple', { type: 'integer', multipleOf: 5, minimum: 7 }, 10],
    ['a date', { type: 'string', format: 'date' }, '2025-01-01'],
    ['a URI', { type: 'string', format: 'uri' }, 'https://example.com/'],
    ['text of the right length', { type: 'string', minLength: 6, maxLength: 7 }, 'testaa'],
    ['short text', { type: 'string', maxLength: 2 }, 'te'],
    ['text of a common pattern', { type: 'string', pattern: '^\\d+\\.\\d+\\.\\d+$' }, '1.0.0'],
    ['an empty array', { type: 'array', items: { type: 'string' } }, []],
    ['an array of two', { type: 'array', items: { type: 'integer' }, minItems: 2 }, [1, 1]],
    [
      'an array of two that differ',
      { type: 'array', items: { type: 'integer' }, minItems: 2, uniqueItems: true },
      [1, 2],
    ],
    ['a tuple', { type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }], minItems: 2 }, ['test', 1]],
    [
      'a tuple of draft-07',
      {
        $schema: 'http://json-schema.org/draft-07/schema#',
        type: 'array',
        items: [{ type: 'string' }, { type: 'boolean' }],
        minItems: 2,
      },
      ['test', false],
    ],
    ['what an array must contain', { type: 'array', contains: { const: 'x' } }, ['x']],
    [
      'nested objects behind a reference',
      {
        type: 'object',
        properties: { to: { $ref: '#/$defs/a~1b' } },
        required: ['to'],
        $defs: { 'a/b': { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] } },
      },
      { to: { city: 'test' } },
    ],
    [
      'what an anchor names',
      {
        type: 'object',
        properties: { a: { $ref: '#x' } },
        required: ['a'],
        $defs: { d: { $anchor: 'x', type: 'null' } },
      },
      { a: null },
    ],
    [
      'the first alternative',
      { type: 'object', properties: { v: { anyOf: [{ type: 'boolean' }, { type: 'string' }] } }, required: ['v'] },
      { v: false },
    ],
    [
      'the only alternative that is possible',
      { type: 'integer', minimum: 3, oneOf: [{ type: 'string' }, { multipleOf: 4 }] },
      4,
    ],
    [
      'what several parts ask for together',
      {
        type: 'object',
        allOf: [
          { properties: { n: { type: 'integer', minimum: 2 } }, required: ['n'] },
          { properties: { n: { minimum: 5 }, s: { type: 'string' } }, required: ['s'] },
        ],
      },
      { n: 5, s: 'test' },
    ],
    [
      'what a condition asks for',
      {
        type: 'object',
        properties: { by: { enum: ['mail', 'phone'] }, mail: { type: 'string' }, phone: { type: 'string' } },
        required: ['by'],
        if: { properties: { by: { const: 'phone' } } },
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
        then: { required: ['phone'] },
        else: { required: ['mail'] },
      },
      { by: 'mail', mail: 'test' },
    ],
    ['as many members as there must be', { type: 'object', minProperties: 2 }, { m1: 'test', m2: 'test' }],
    [
      'members of a named pattern',
      { type: 'object', required: ['x-a'], patternProperties: { '^x-': { type: 'integer' } } },
      { 'x-a': 1 },
    ],
    [
      'a member of any name',
      JSON.parse('{"type":"object","required":["__proto__"]}'),
      JSON.parse('{"__proto__":"test"}'),
    ],
    ['a tree of one node', { type: 'object', properties: { next: { $ref: '#' } } }, {}],
  ])('%s', (_, schema, value) => {
    expect(synthesize(schema)).toEqual(value)
    expect(instanceProblems(schema, value)).toBeUndefined()
  })

  test('the choice depends on the seed, and on nothing else', () => {
    const schema = { type: 'string', enum: ['a', 'b', 'c', 'd'] }
    const chosen = Array.from({ length: 20 }, (_, seed) => synthesize(schema, seed))
    expect(new Set(chosen).size).toBeGreaterThan(1)
    expect(chosen).toEqual(Array.from({ length: 20 }, (_, seed) => synthesize(schema, seed)))
  })
})

describe('nothing where', () => {
  test.each<[string, unknown]>([
    ['the schema is false', false],
    ['it is no schema', 'object'],
    ['it is no valid schema', { type: 'int' }],
    ['its dialect is unknown', { $schema: 'https://example.com/own', type: 'object' }],
    [
      'an object requires one of its own kind',
      {
        $ref: '#/$defs/a',
        $defs: { a: { type: 'object', properties: { a: { $ref: '#/$defs/a' } }, required: ['a'] } },
      },
    ],
    ['a reference leads in a circle', { $ref: '#' }],
    ['a reference leads elsewhere', { $ref: 'https://example.com/schema' }],
    ['nothing can fit', { type: 'string', allOf: [{ type: 'integer' }] }],
    ['a pattern is out of the ordinary', { type: 'string', pattern: '^zq{7}$' }],
    ['a pattern is no regular expression', { type: 'string', pattern: '(' }],
    ['very much is asked for', { type: 'array', minItems: 1_000_000 }],
    ['the text would be very long', { type: 'string', minLength: 1_000_000 }],
  ])('%s', (_, schema) => {
    expect(synthesize(schema)).toBeUndefined()
  })

  test('arguments would be no object', () => {
    expect(argumentsFor({ type: 'array' })).toBeUndefined()
    expect(argumentsFor({})).toBeUndefined()
    expect(argumentsFor({ type: 'object' })).toEqual({})
  })
})

test('a schema that branches without end is given up soon', () => {
  const sides = { anyOf: [{ type: 'string' }, { type: 'integer' }] }
  const schema = { allOf: [...Array.from({ length: 40 }, () => sides), { type: 'boolean' }] }
  const started = performance.now()
  expect(synthesize(schema)).toBeUndefined()
  expect(performance.now() - started).toBeLessThan(2_000)
})

/** Schemas as tools have them, some of them without any instance. */
const { schema: anySchema } = fc.letrec(tie => ({
  schema: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.record({ type: fc.constant('string'), minLength: fc.nat(8), maxLength: fc.nat(12) }, { requiredKeys: ['type'] }),
    fc.record(
      {
        type: fc.constantFrom('integer', 'number'),
        minimum: fc.integer(),
        maximum: fc.integer(),
        multipleOf: fc.integer({ min: 1, max: 9 }),
      },
      { requiredKeys: ['type'] },
    ),
    fc.record({ enum: fc.array(fc.jsonValue(), { minLength: 1, maxLength: 3 }) }),
    fc.record(
      { type: fc.constant('array'), items: tie('schema'), minItems: fc.nat(3), uniqueItems: fc.boolean() },
      { requiredKeys: ['type'] },
    ),
    fc.record({
      type: fc.constant('object'),
      properties: fc.record({ a: tie('schema'), b: tie('schema') }),
      required: fc.subarray(['a', 'b', 'c']),
    }),
    fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ allOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }) }),
  ),
}))

test('whatever is made is an instance, whatever the schema', () => {
  fc.assert(
    fc.property(anySchema, fc.nat(), (schema, seed) => {
      const value = synthesize(schema, seed)
      return value === undefined || instanceProblems(schema, value) === undefined
    }),
    { numRuns: 60 },
  )
})
