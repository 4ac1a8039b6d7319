import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../wire/json-rpc.ts'
import { type ClientRun, clientScenario } from './client-scenario.ts'
import { judge } from './judgement.ts'

const scenario = clientScenario({
  title: 'The client does something with tools for sampling',
  script: { drive: { name: 'initialize' } },
  needs: { capability: 'sampling.tools' },
  claims: { one: 'sampling.tools.client-declares', two: 'sampling.tool-choice.none' },
  *run() {
    yield judge('one', true, 'anything', [])
  },
  defects: [],
})

const outcomes = (...declared: JsonObject[]): string[] => {
  const conversations = declared.map(capabilities => ({ capabilities }))
  const run = { conversations, messages: [] } as unknown as ClientRun<unknown>
  return [...scenario.run(run)].map(one => ('unmet' in one ? one.unmet : `${one.claim} ${one.outcome}`))
}

describe('a client scenario that needs a capability', () => {
  test('runs where the client declares it', () => {
    expect(outcomes({ sampling: { tools: {} } })).toEqual(['one holds'])
  })
  test('is not applicable, in all its claims, where the client does not', () => {
    expect(outcomes({ sampling: {} })).toEqual(['one n/a', 'two n/a'])
  })
  test('looks at the first session', () => {
    expect(outcomes({}, { sampling: { tools: {} } })).toEqual(['one n/a', 'two n/a'])
  })
  test('runs where the client opened no session, to say what is missing', () => {
    expect(outcomes()).toEqual(['one holds'])
  })
})
