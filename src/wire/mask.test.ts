import { describe, expect, test } from 'vitest'
import { createMask, printable, secretsOf } from './mask.ts'

describe('masking', () => {
  test('hides values of the environment whose names look secret, wherever they turn up', () => {
    const secrets = secretsOf({ MY_TOKEN: 'abcdefgh1234', SHORT_KEY: 'abc', PLAIN: 'visible-value' })
    expect(createMask(secrets).text('x abcdefgh1234 y abc visible-value')).toBe('x *** y abc visible-value')
  })

  test('hides credentials in headers, JSON and forms', () => {
    const mask = createMask([])
    expect(mask.header('Authorization', 'Bearer 12345678')).toBe('***')
    expect(mask.header('X-Other', 'fine')).toBe('fine')
    expect(mask.text('{"access_token":"s3cr3t\\"x","scope":"a"}')).toBe('{"access_token":"***","scope":"a"}')
    expect(mask.text('grant_type=x&code_verifier=abc&code=def')).toBe('grant_type=x&code_verifier=***&code=***')
    expect(mask.text('sent Bearer abcdefghij')).toBe('sent Bearer ***')
  })

  test('does not touch error codes', () => {
    const text = '{"code":-32601,"message":"[{\\"code\\":\\"invalid_type\\"}]"} {"code":"invalid_type"}'
    expect(createMask([]).text(text)).toBe(text)
  })
})

test('control characters, escape sequences and direction overrides become visible', () => {
  expect(printable('a\u001b[31mb\u0000\u202ec\n\td')).toBe('a\\u001b[31mb\\u0000\\u202ec\n\td')
})
