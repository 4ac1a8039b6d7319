import { describe, expect, test } from 'vitest'
import { inputsIn, retryParams } from './input-required.ts'

describe('a result that asks for input', () => {
  test('says what is wanted, by key, and the state to bring along', () => {
    const result = {
      resultType: 'input_required',
      inputRequests: { a: { method: 'roots/list' }, b: { method: 'elicitation/create', params: { message: 'ok?' } } },
      requestState: 's',
    }
    expect(inputsIn(result)).toEqual({
      requests: [
        { key: 'a', method: 'roots/list', params: {} },
        { key: 'b', method: 'elicitation/create', params: { message: 'ok?' } },
      ],
      state: 's',
    })
  })

  test('may want nothing but to be asked again, and odd entries are passed over', () => {
    expect(inputsIn({ resultType: 'input_required', requestState: 's' })).toEqual({ requests: [], state: 's' })
    expect(inputsIn({ resultType: 'input_required', inputRequests: { a: 1 } })).toEqual({ requests: [] })
  })

  test('is no other result', () => {
    for (const result of [{ resultType: 'complete' }, { content: [] }, null, 'input_required'])
      expect(inputsIn(result)).toBeUndefined()
  })
})

describe('the same request again', () => {
  test('has the answers and the state beside what it had', () => {
    expect(retryParams({ name: 'x', arguments: {} }, { a: { roots: [] } }, 's')).toEqual({
      name: 'x',
      arguments: {},
      inputResponses: { a: { roots: [] } },
      requestState: 's',
    })
  })

  test('drops answers and state of the round before where there are no new ones', () => {
    expect(retryParams({ name: 'x', inputResponses: {}, requestState: 'old' }, {}, undefined)).toEqual({ name: 'x' })
  })
})
