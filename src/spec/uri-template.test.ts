import { expect, test } from 'vitest'
import { expandTemplate, mayDescribe, templateProblem, variablesOf } from './uri-template.ts'

test('templates of RFC 6570 are in order', () => {
  for (const template of [
    'file:///{path}',
    'file:///{+path}',
    'x://{a,b}/{c*}{?q,n:3}{&more}{#end}',
    'x://{a.b}/caf%C3%A9',
    'x://plain',
    '{+anything}',
  ])
    expect(templateProblem(template), template).toBeUndefined()
})

test('what cannot be read breaks a template', () => {
  for (const template of ['x://{a', 'x://a}', 'x://{{a}}', 'x://{}', 'x://{a,}', 'x://{=a}', 'x://{?}', 'x://{:3}'])
    expect(templateProblem(template)?.fit, template).toBe('breaks')
})

test('a character that stands where it may not only bends it', () => {
  for (const template of ['x://{user-id}', 'x://a b/{c}', 'x://{a b}', 'x://{a:0}', 'x://100%/{a}'])
    expect(templateProblem(template)?.fit, template).toBe('bends')
})

test('values are encoded, and joined as the operator says', () => {
  expect(expandTemplate('x://{id}/data', 'a b/c')).toBe('x://a%20b%2Fc/data')
  expect(expandTemplate('x://{+path}', 'a b/c')).toBe('x://a%20b/c')
  expect(expandTemplate('x://h{/a,b}{?q,n:3}{&r}{#f}', '1')).toBe('x://h/1/1?q=1&n=1&r=1#1')
  expect(expandTemplate('x://{a', '1')).toBeUndefined()
})

test('the literal beginning tells which URIs a template can describe', () => {
  expect(mayDescribe('test://a/{b}', 'test://a/1')).toBe(true)
  expect(mayDescribe('test://a/{b}', 'test://b/1')).toBe(false)
  expect(mayDescribe('{+any}', 'test://b/1')).toBe(true)
})

test('variables are named without operators and modifiers', () => {
  expect(variablesOf('x://{id}{/a,b*}{?q:3}{&user-id}')).toEqual(['id', 'a', 'b', 'q', 'user-id'])
  expect(variablesOf('x://{a')).toEqual([])
})
