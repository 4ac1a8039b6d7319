import { expect, test } from 'vitest'
import type { Json, JsonObject } from '../../wire/json-rpc.ts'
import { createKnowledge } from './knowledge.ts'
import { correctPages } from './pages.ts'
import type { Reply } from './reply.ts'

const answering = (result: JsonObject): Reply => ({ kind: 'result', result })
const PAGES: Record<string, JsonObject> = {
  '{}': { tools: [{ name: 'a' }, 'broken'], nextCursor: 'x' },
  '{"cursor":"x"}': { tools: [{ name: 'b' }] },
}

test('the tools of all pages are known until the server says that they have changed', async () => {
  const items: Json[] = []
  const knowledge = createKnowledge(correctPages(), item => items.push(item))
  const asked: (JsonObject | undefined)[] = []
  await knowledge.list('tools/list', {}, async page => {
    asked.push(page)
    return answering(PAGES[JSON.stringify(page ?? {})] ?? {})
  })
  expect(asked).toEqual([undefined, { cursor: 'x' }])
  expect([...(knowledge.tools?.keys() ?? [])]).toEqual(['a', 'b'])
  expect(items).toHaveLength(3)
  knowledge.forgetTools()
  expect(knowledge.tools).toBeUndefined()
})

test('a list that was refused, or is of something else, changes nothing', async () => {
  const knowledge = createKnowledge(correctPages(), () => {})
  await knowledge.list('tools/list', {}, async () => answering({}))
  await knowledge.list('prompts/list', {}, async () => answering({ prompts: [{ name: 'p' }] }))
  expect(knowledge.tools).toBeUndefined()
})

test('a new session begins without anything', () => {
  const knowledge = createKnowledge(correctPages(), () => {})
  knowledge.subscribed.add('test://x')
  knowledge.forget()
  expect(knowledge.subscribed.size).toBe(0)
})
