import { describe, expect, test } from 'vitest'
import { familyOf } from '../dialects/families.ts'
import type { MessageFrame } from '../wire/log.ts'
import { defaultAnswers } from './default-answers.ts'
import { createHandlers } from './handlers.ts'

const stateful = familyOf('2025-11-25')
const stateless = familyOf('2026-07-28')
const FRAME: MessageFrame = { seq: 1, at: 0, channel: 'mcp', session: 's', kind: 'message', from: 'them', text: '' }

describe('the usual answers', () => {
  test('are for what we have declared, and ping where the family has it', () => {
    expect([...defaultAnswers(stateful, { roots: {}, sampling: true }).keys()]).toEqual(['ping', 'roots/list'])
    expect([...defaultAnswers(stateless, { elicitation: {} }).keys()]).toEqual(['elicitation/create'])
  })
})

describe('who answers', () => {
  test('is the scenario while it runs, and the usual answer before and after', async () => {
    const handlers = createHandlers(stateful, {})
    const answer = async (): Promise<unknown> => handlers.find('ping')?.({}, FRAME)
    expect(await answer()).toEqual({ result: {} })
    handlers.on('ping', () => 'silence')
    expect(await answer()).toBe('silence')
    handlers.reset()
    expect(await answer()).toEqual({ result: {} })
  })

  test('is nobody for what was never declared; what a scenario once answered is refused later', async () => {
    const handlers = createHandlers(stateful, {})
    expect(handlers.find('roots/list')).toBeUndefined()
    handlers.on('roots/list', () => ({ result: { roots: [] } }))
    handlers.reset()
    expect(await handlers.find('roots/list')?.({}, FRAME)).toEqual({
      error: { code: -32601, message: 'Method not found' },
    })
  })
})

describe('what a result asks for', () => {
  const asked = [
    { key: 'a', method: 'roots/list', params: {} },
    { key: 'b', method: 'elicitation/create', params: { message: 'ok?' } },
  ]

  test('is answered under the same keys', async () => {
    const handlers = createHandlers(stateless, { roots: {} })
    handlers.on('elicitation/create', message => ({ result: { action: 'accept', content: { said: message.params } } }))
    expect(await handlers.answerAll(asked, FRAME)).toEqual({
      a: { roots: [] },
      b: { action: 'accept', content: { said: { message: 'ok?' } } },
    })
  })

  test('is not answered at all where one of it is refused', async () => {
    const handlers = createHandlers(stateless, { roots: {} })
    expect(await handlers.answerAll(asked, FRAME)).toBeUndefined()
    handlers.on('elicitation/create', () => ({ error: { code: -1, message: 'no' } }))
    expect(await handlers.answerAll(asked, FRAME)).toBeUndefined()
  })
})
