import { describe, expect, test } from 'vitest'
import { isObject, type Json, type JsonObject } from '../../wire/json-rpc.ts'
import { runScripted } from './trial.ts'

/** Asks the client when it is ready, and gives its answers. */
async function ask(client: JsonObject, ...questions: [string, JsonObject?][]): Promise<JsonObject[]> {
  const { sent } = await runScripted(
    (message, say) => {
      if (message.method !== 'notifications/initialized') return
      for (const [place, [method, params]] of questions.entries())
        say({ jsonrpc: '2.0', id: `q${place}`, method, ...(params === undefined ? {} : { params }) })
    },
    { client, steps: [{ pause: 50 }] },
  )
  return questions.map((_, place) => sent.find(({ id, method }) => id === `q${place}` && method === undefined) ?? {})
}

const form = (properties: JsonObject, required: string[] = []): [string, JsonObject] => [
  'elicitation/create',
  { message: 'm', requestedSchema: { type: 'object', properties, required } },
]
const page = (url: string): [string, JsonObject] => [
  'elicitation/create',
  { mode: 'url', message: 'm', elicitationId: 'a/ b?é', url },
]
const sampling = (messages: Json[], more: JsonObject = {}): [string, JsonObject] => [
  'sampling/createMessage',
  { messages, maxTokens: 10, ...more },
]
const said = (role: string, content: Json): JsonObject => ({ role, content })
const hello = said('user', { type: 'text', text: 'hello' })
const use = (id: string): JsonObject => ({ type: 'tool_use', id, name: 'f', input: {} })
const used = (toolUseId: string): JsonObject => ({ type: 'tool_result', toolUseId, content: [] })
const TOOL = { name: 'f', inputSchema: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] } }

const codesOf = (answers: JsonObject[]): unknown[] =>
  answers.map(({ error }) => (isObject(error) ? error.code : 'none'))

describe('asked for a completion', () => {
  const offers = { sampling: { tools: true } }
  test('refuses conversations that are none', async () => {
    const answers = await ask(
      offers,
      sampling([hello, said('assistant', [use('a'), use('b')]), said('user', [used('a')])]),
      sampling([hello, said('assistant', [use('a')]), said('user', [used('a'), { type: 'text', text: 'x' }])]),
      sampling([said('assistant', [used('a')])]),
      sampling([said('system', { type: 'text', text: 'x' })]),
      sampling([said('user', { type: 'image', mimeType: 'image/png' })]),
      sampling([said('user', { type: 'smell' })]),
      ['sampling/createMessage', { messages: [] }],
      ['sampling/createMessage'],
    )
    expect(codesOf(answers)).toEqual(Array(8).fill(-32602))
  })
  test('uses tools as it may and must', async () => {
    const [required, none, plain] = await ask(
      offers,
      sampling([hello], { tools: [TOOL], toolChoice: { mode: 'required' } }),
      sampling([hello, said('assistant', [use('a')]), said('user', [used('a')])], {
        tools: [TOOL],
        toolChoice: { mode: 'none' },
      }),
      sampling([hello]),
    )
    expect(required?.result).toMatchObject({ content: { type: 'tool_use', input: { n: 1 } }, stopReason: 'toolUse' })
    expect(none?.result).toMatchObject({ content: { type: 'text' } })
    expect(plain?.result).toMatchObject({ role: 'assistant', model: 'reference-model', stopReason: 'endTurn' })
  })
  test('refuses tools that it has not declared', async () => {
    const answers = await ask(
      { sampling: {} },
      sampling([hello], { tools: [TOOL] }),
      sampling([hello], { toolChoice: { mode: 'auto' } }),
    )
    expect(codesOf(answers)).toEqual([-32602, -32602])
  })
  test('chooses the model by the hints, in their order', async () => {
    const hints = [{ name: 'unknown' }, { name: 'b' }, { name: 'a' }]
    const [answer] = await ask(
      { sampling: { models: ['a-1', 'b-2'] } },
      sampling([hello], { modelPreferences: { hints, costPriority: 1 } }),
    )
    expect(answer?.result).toMatchObject({ model: 'b-2' })
  })
})

describe('asked for input', () => {
  test('fills in every kind of field', async () => {
    const [answer] = await ask(
      { elicitation: {} },
      form(
        {
          mail: { type: 'string', format: 'email' },
          uri: { type: 'string', format: 'uri' },
          day: { type: 'string', format: 'date' },
          time: { type: 'string', format: 'date-time' },
          long: { type: 'string', minLength: 12 },
          number: { type: 'number', minimum: 3.5, maximum: 4 },
          integer: { type: 'integer', minimum: 7 },
          flag: { type: 'boolean' },
          one: { type: 'string', enum: ['x', 'y'] },
          titled: { type: 'string', oneOf: [{ const: 'x', title: 'X' }] },
          old: { type: 'string', enum: ['x'], enumNames: ['X'] },
          several: { type: 'array', items: { type: 'string', enum: ['x', 'y', 'z'] }, minItems: 2 },
          titledSeveral: { type: 'array', items: { anyOf: [{ const: 'x', title: 'X' }] }, minItems: 1 },
          optional: { type: 'string' },
          filled: { type: 'string', default: 'there' },
        },
        [
          ...['mail', 'uri', 'day', 'time', 'long', 'number', 'integer', 'flag'],
          ...['one', 'titled', 'old', 'several', 'titledSeveral'],
        ],
      ),
    )
    expect(answer?.result).toMatchObject({ action: 'accept', content: { several: ['x', 'y'], filled: 'there' } })
    expect(answer?.result).not.toMatchObject({ content: { optional: expect.anything() } })
  })
  test('does not send what does not fit', async () => {
    const answers = await ask(
      { elicitation: { content: { n: 0, mail: 'none' } } },
      form({ n: { type: 'number', minimum: 1 } }),
      form({ mail: { type: 'string', format: 'email' } }),
      form({ other: { type: 'string' } }, ['other']),
      form({ deep: { type: 'object' } }),
    )
    expect(answers.slice(0, 3).map(({ result }) => result)).toEqual(Array(3).fill({ action: 'cancel' }))
    expect(codesOf(answers)[3]).toBe(-32602)
  })
  test('keeps to the modes that it has declared', async () => {
    const url = page('https://example.com/')
    expect(codesOf(await ask({ elicitation: {} }, url, form({})))).toEqual([-32602, 'none'])
    expect(codesOf(await ask({ elicitation: { declare: 'empty', url: true } }, url, form({})))).toEqual([
      -32602,
      'none',
    ])
    expect(codesOf(await ask({ elicitation: { url: true, form: false } }, url, form({})))).toEqual(['none', -32602])
    expect(codesOf(await ask({}, url, form({})))).toEqual([-32601, -32601])
  })
  test('opens no page that is dangerous', async () => {
    const bad = ['javascript:alert(1)', 'file:///etc/passwd', 'ftp://example.com/', 'not a url']
    const answers = await ask({ elicitation: { url: true } }, ...bad.map(page))
    expect(codesOf(answers)).toEqual(Array(4).fill(-32602))
  })
  test.each(['decline', 'cancel'])('says %s', async action => {
    const answers = await ask({ elicitation: { url: true, action } }, form({}), page('https://example.com/'))
    expect(answers.map(({ result }) => result)).toEqual([{ action }, { action }])
  })
  test('keeps the task of a request in its answer, and its own task apart', async () => {
    const [name, params] = form({})
    const _meta = { 'io.modelcontextprotocol/related-task': { taskId: 't' } }
    const [plain, asTask] = await ask(
      { elicitation: {}, tasks: true },
      [name, { ...params, _meta }],
      [name, { ...params, _meta, task: { ttl: 1_000, taskId: 'mine' } }],
    )
    expect(plain?.result).toMatchObject({ action: 'accept', _meta })
    expect(asTask?.result).toMatchObject({ task: { status: 'working', ttl: 1_000 }, _meta })
    expect(asTask?.result).not.toMatchObject({ task: { taskId: 'mine' } })
  })
  test('takes no task that it has not declared', async () => {
    const [name, params] = form({})
    const [answer] = await ask({ elicitation: {} }, [name, { ...params, task: {} }])
    expect(answer?.result).toMatchObject({ action: 'accept' })
  })
})
