import { expect, test } from 'vitest'
import type { JsonObject } from '../../wire/json-rpc.ts'
import { decisionOn } from './decision.ts'
import { correctClient } from './policies.ts'
import { settingsIn } from './settings.ts'

function decide(client: JsonObject, method: string, params: JsonObject, problem?: string) {
  const policies = correctClient()
  const settings = settingsIn(client)
  const version = '2025-11-25'
  const user = () => ({ rules: policies.elicitation, show: () => {}, about: () => {}, await: () => {} })
  const declared = policies.capabilities(settings, version)
  return decisionOn({ policies, settings, user }, { declared, version }, method, params, problem)
}

const SAMPLE = { messages: [{ role: 'user', content: { type: 'text', text: 'x' } }], maxTokens: 1 }
const FORM = { message: 'm', requestedSchema: { type: 'object', properties: {} } }

test('the model decides about sampling, and takes its time', () => {
  const decision = decide({ sampling: { delayMs: 20 } }, 'sampling/createMessage', SAMPLE)
  expect(decision?.delayMs).toBe(20)
  expect(decision?.decide()).toMatchObject({ result: { role: 'assistant' } })
})

test('the user decides about a form', () => {
  expect(decide({ elicitation: { action: 'decline' } }, 'elicitation/create', FORM)?.decide()).toEqual({
    result: { action: 'decline' },
  })
})

test('a request with a problem is refused', () => {
  expect(decide({ elicitation: {} }, 'elicitation/create', FORM, 'it is odd')?.decide()).toEqual({
    error: { code: -32602, message: 'it is odd' },
  })
})

test.each(['sampling/createMessage', 'elicitation/create', 'x'])(
  'nobody decides about %s who is not set up',
  method => {
    expect(decide({}, method, {})).toBeUndefined()
  },
)
