import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { at, idKey, shapeOf, textAt } from './json-rpc.ts'

describe('at', () => {
  test('follows names and indices and never throws', () => {
    expect(at({ a: [{ b: 1 }] }, 'a', 0, 'b')).toBe(1)
    expect(at({ a: [] }, 'a', 'length')).toBeUndefined()
    expect(at({}, 'constructor')).toBeUndefined()
    fc.assert(
      fc.property(
        fc.anything(),
        fc.array(fc.oneof(fc.string(), fc.integer())),
        (value, path) => void at(value, ...path),
      ),
    )
  })

  test('textAt gives strings only', () => {
    expect([textAt({ a: 'x' }, 'a'), textAt({ a: 1 }, 'a')]).toEqual(['x', undefined])
  })
})

describe('shapeOf', () => {
  test.each([
    [{ method: 'm', id: 1 }, 'request'],
    [{ method: 'm', id: null }, 'request'],
    [{ method: 'm' }, 'notification'],
    [{ id: 1, result: {} }, 'result'],
    [{ id: 1, error: {} }, 'error'],
    [{ error: {} }, 'error'],
    [{ id: 1 }, 'malformed'],
    [[{ method: 'm' }], 'batch'],
    ['text', 'malformed'],
    [null, 'malformed'],
  ] as const)('%j is a %s', (json, shape) => {
    expect(shapeOf(json as never)).toBe(shape)
  })
})

test('ids are compared by type and value', () => {
  expect(new Set([7, '7', 0, '', null, undefined].map(idKey)).size).toBe(6)
})
