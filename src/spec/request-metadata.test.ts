import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { encoded, headerText, textOfHeader } from './request-metadata.ts'

describe('text as a field value', () => {
  test.each([
    ['us-west1', 'us-west1'],
    ['a b', 'a b'],
    ['Hello, 世界', '=?base64?SGVsbG8sIOS4lueVjA==?='],
    [' padded ', '=?base64?IHBhZGRlZCA=?='],
    ['line1\nline2', '=?base64?bGluZTEKbGluZTI=?='],
    ['=?base64?literal?=', '=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?='],
    ['', '=?base64??='],
  ])('%j becomes %j', (text, value) => {
    expect(headerText(text)).toBe(value)
  })

  test('is always plain ASCII, and can be read back', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), text => {
        const value = headerText(text)
        expect(value).toMatch(/^[\x20-\x7e\t]*$/)
        expect(textOfHeader(value)).toBe(text)
      }),
    )
  })
})

describe('the text that a field value stands for', () => {
  test('is what lies between the marks, also where they were not needed', () => {
    expect(textOfHeader(encoded('echo'))).toBe('echo')
    expect(textOfHeader('echo')).toBe('echo')
  })

  test('has marks in lower case only: others are text like any other', () => {
    expect(textOfHeader('=?BASE64?ZWNobw==?=')).toBe('=?BASE64?ZWNobw==?=')
  })

  test.each(['=?base64?ZWNobw?=', '=?base64?!!!!?=', '=?base64?/w==?='])('%s stands for none', value => {
    expect(textOfHeader(value)).toBeUndefined()
  })
})
