import { describe, expect, test } from 'vitest'
import { instanceProblems, schemaProblems, UNKNOWN_DIALECT } from './json-schema.ts'

const DRAFT_07 = 'http://json-schema.org/draft-07/schema#'
const DRAFT_06 = 'http://json-schema.org/draft-06/schema#'
const DRAFT_2019 = 'https://json-schema.org/draft/2019-09/schema'

describe('a schema is valid', () => {
  test.each([
    ['without properties', { type: 'object' }],
    ['with keywords and formats that nobody knows', { type: 'string', format: 'x-thing', 'x-order': 3 }],
    ['as a boolean', true],
    ['with the keywords of 2020-12', { $defs: { a: {} }, prefixItems: [{ $ref: '#/$defs/a' }] }],
    ['with array-form items under draft-07', { $schema: DRAFT_07, items: [{}] }],
    ['with array-form items under draft-06', { $schema: DRAFT_06, items: [{}] }],
    ['with array-form items under 2019-09', { $schema: DRAFT_2019, items: [{}] }],
  ])('%s', (_name, schema) => {
    expect(schemaProblems(schema)).toBeUndefined()
  })
})

describe('a schema is invalid', () => {
  test.each([
    ['with a type that does not exist', { type: 'text' }, /^#\/type /],
    [
      'with array-form items under the default dialect',
      { properties: { a: { items: [{}] } } },
      /^#\/properties\/a\/items/,
    ],
    [
      'with required as a boolean, the form of draft-03',
      { properties: { a: { required: true } } },
      /required must be array/,
    ],
    ['with a fault of its own dialect', { $schema: DRAFT_07, required: 'a' }, /^#\/required must be array/],
    ['with $schema as a number', { $schema: 7 }, /^\$schema is no string/],
    ['as an array', [], /^# /],
    ['as null', null, /^# /],
  ])('%s', (_name, schema, problem) => {
    expect(schemaProblems(schema)).toMatch(problem)
  })
})

test('a dialect that we do not know is said to be unknown', () => {
  expect(schemaProblems({ $schema: 'https://example.com/no-such-dialect' })).toBe(UNKNOWN_DIALECT)
  expect(schemaProblems({ $schema: 'constructor' })).toBe(UNKNOWN_DIALECT)
})

describe('a value is looked at under the dialect of its schema', () => {
  const tuple = { type: 'object', properties: { a: { prefixItems: [{ type: 'string' }] } } }

  test('prefixItems counts where nothing is declared', () => {
    expect(instanceProblems(tuple, { a: ['x'] })).toBeUndefined()
    expect(instanceProblems(tuple, { a: [1] })).toBe('the value/a/0 must be string')
  })
  test('prefixItems means nothing under draft-07', () => {
    expect(instanceProblems({ ...tuple, $schema: DRAFT_07 }, { a: [1] })).toBeUndefined()
  })
  test('the same $id may come again', () => {
    expect(instanceProblems({ $id: 'urn:example:x', type: 'string' }, 'x')).toBeUndefined()
    expect(instanceProblems({ $id: 'urn:example:x', type: 'number' }, 'x')).toBe('the value must be number')
  })
  test('a reference that leads nowhere is a problem, not an exception', () => {
    expect(instanceProblems({ $ref: '#/$defs/none' }, 1)).toMatch(/^the schema cannot be applied/)
  })
})
