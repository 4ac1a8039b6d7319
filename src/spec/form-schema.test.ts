import { describe, expect, test } from 'vitest'
import { fieldKind, fieldProblem } from './form-schema.ts'

const choices = [{ const: 'a', title: 'A' }]
const look = (field: Record<string, unknown>) => {
  const kind = fieldKind(field)
  return kind === undefined ? 'not flat' : (fieldProblem(kind, field)?.problem ?? kind)
}
const tolerable = (field: Record<string, unknown>) => fieldProblem(fieldKind(field) ?? 'string', field)?.tolerable

describe('the fields of a form', () => {
  test.each([
    [{ type: 'string', minLength: 1, maxLength: 5, format: 'date', pattern: '^a', default: 'b' }, 'string'],
    [{ type: 'integer', minimum: 0, maximum: 1.5, default: 1 }, 'number'],
    [{ type: 'boolean', title: 'T', description: 'D', default: false }, 'boolean'],
    [{ type: 'string', enum: ['a', 'b'], enumNames: ['A', 'B'], default: 'b' }, 'single choice'],
    [{ type: 'string', oneOf: choices, default: 'a' }, 'single choice'],
    [{ type: 'array', minItems: 1, items: { type: 'string', enum: ['a'] }, default: ['a'] }, 'multiple choice'],
    [{ type: 'array', items: { anyOf: choices } }, 'multiple choice'],
  ])('%j is in order', (field, kind) => {
    expect(look(field)).toBe(kind)
  })

  test.each([
    { type: 'object', properties: {} },
    { type: 'array', items: { type: 'object' } },
    { type: 'array', items: { $ref: '#/$defs/a' } },
    { type: 'array' },
    { type: ['string', 'null'] },
    { $ref: '#/$defs/a' },
    { anyOf: [{ type: 'string' }, { type: 'null' }] },
  ])('%j is not flat', field => {
    expect(fieldKind(field)).toBeUndefined()
  })

  test.each([
    { type: 'string', format: 'password' },
    { type: 'string', minLength: '3' },
    { type: 'string', default: 3 },
    { type: 'number', minimum: '0' },
    { type: 'boolean', default: 'true' },
    { type: 'string', enum: [] },
    { type: 'string', enum: [1, 2] },
    { enum: ['a'] },
    { type: 'string', oneOf: [{ const: 'a' }] },
    { type: 'string', enum: ['a'], default: 'b' },
    { type: 'array', items: { type: 'string' } },
    { type: 'array', items: { enum: ['a'] } },
    { type: 'array', items: { type: 'string', enum: ['a'] }, default: 'a' },
    { type: 'array', items: { anyOf: choices }, default: ['b'] },
    { type: 'array', items: { anyOf: choices }, maxItems: '2' },
  ])('%j is wrong', field => {
    expect(tolerable(field)).toBe(false)
  })

  test.each([
    [{ type: 'string', format: 'password' }, 'wrong-value'],
    [{ type: 'string', minLength: '3' }, 'wrong-type'],
    [{ type: 'boolean', default: 'true' }, 'wrong-type'],
    [{ type: 'string', enum: [] }, 'wrong-value'],
    [{ enum: ['a'] }, 'missing'],
    [{ type: 'string', enum: ['a'], default: 'b' }, 'wrong-value'],
    [{ type: 'array', items: { type: 'string' } }, 'missing'],
    [{ type: 'array', items: { type: 'string', enum: ['a'] }, default: 'a' }, 'wrong-type'],
    [{ type: 'number', exclusiveMinimum: 0 }, 'unasked'],
  ])('of %j something is %s', (field, kind) => {
    expect(fieldProblem(fieldKind(field) ?? 'string', field)?.kind).toBe(kind)
  })

  test('a keyword of another kind is tolerable', () => {
    expect([
      tolerable({ type: 'number', exclusiveMinimum: 0 }),
      tolerable({ type: 'string', examples: ['a'] }),
      tolerable({ type: 'boolean', enum: [true] }),
    ]).toEqual([true, true, true])
  })
})
