import { PassThrough } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { failure, isObject, type Json, type JsonObject, result } from '../../wire/json-rpc.ts'
import { createLineReader } from '../../wire/lines.ts'
import { signal } from '../../wire/wait.ts'
import { type Outgoing, type Tamper, untampered } from '../outgoing.ts'
import { defaultPolicies, type Policies } from '../policies.ts'
import { type HttpServer, serveHttp } from '../server/http.ts'
import { serveStdio } from '../server/stdio.ts'
import { type ClientPolicies, correctClient } from './policies.ts'
import { runClient, type ServerProcess } from './run.ts'

const EVERYTHING = {
  roots: [{ uri: 'file:///project', name: 'project' }],
  sampling: { answer: {}, tools: true },
  elicitation: { action: 'accept', url: true },
  tasks: true,
}

interface Ran {
  code: number
  outcomes: JsonObject[]
  /** what went out, message by message */
  sent: JsonObject[]
  requests: Extract<Outgoing, { layer: 'request' }>[]
  text: string
}

type Via = 'http' | 'stdio'

interface Setup {
  steps?: JsonObject[]
  client?: JsonObject
  scenario?: string
  policies?: Partial<ClientPolicies>
  server?: Partial<Policies>
  tamper?: Tamper
  signal?: AbortSignal
  version?: string
}

let shared: HttpServer
beforeAll(async () => {
  shared = await serveHttp(defaultPolicies(), untampered)
})
afterAll(() => shared.close())

async function run(via: Via, setup: Setup): Promise<Ran> {
  const server = { ...defaultPolicies(), ...setup.server }
  const tamper = setup.tamper ?? untampered
  const isOwn = via === 'http' && (setup.server !== undefined || setup.tamper !== undefined)
  const http = isOwn ? await serveHttp(server, tamper) : shared
  const ran: Ran = { code: -1, outcomes: [], sent: [], requests: [], text: '' }
  const watch: Tamper = out => {
    if (out.layer === 'message') ran.sent.push(out.message as JsonObject)
    if (out.layer === 'request') ran.requests.push(out)
    return [out]
  }
  const name = setup.scenario ?? 'test'
  const context = { name, client: setup.client ?? EVERYTHING, steps: setup.steps }
  ran.code = await runClient({ ...correctClient(), ...setup.policies }, watch, {
    args: via === 'http' ? [http.url] : [],
    env: {
      MCP_CONFORMANCE_SCENARIO: name,
      ...(setup.steps === undefined ? {} : { MCP_CONFORMANCE_CONTEXT: JSON.stringify(context) }),
      ...(via === 'http' ? {} : { MCP_CONFORMANCE_SERVER_COMMAND: '["inside"]' }),
      ...(setup.version === undefined ? {} : { MCP_CONFORMANCE_PROTOCOL_VERSION: setup.version }),
    },
    out: text => {
      ran.text += text
      if (text.startsWith('{"step"')) ran.outcomes.push(JSON.parse(text))
    },
    launch: () => inside(server, tamper),
    ...(setup.signal === undefined ? {} : { signal: setup.signal }),
  })
  if (isOwn) await http.close()
  return ran
}

function inside(policies: Policies, tamper: Tamper): ServerProcess {
  const stdin = new PassThrough()
  const stdout = new PassThrough()
  const stderr = new PassThrough()
  const exited = signal<void>()
  const server = serveStdio(policies, tamper, text => stdout.write(text))
  stdin.on('data', (chunk: Buffer) => server.feed(chunk))
  const leave = (): void => {
    stdout.end()
    exited.resolve()
  }
  stdin.once('end', () => {
    if (policies.onEof === 'exit') void server.end().then(leave)
  })
  return {
    stdin,
    stdout,
    stderr,
    exited: exited.promise,
    kill: name => (name === 'SIGKILL' || policies.onTerminate === 'exit') && leave(),
  }
}

const request = (method: string, params?: JsonObject, more: JsonObject = {}): JsonObject => ({
  request: method,
  ...(params === undefined ? {} : { params }),
  ...more,
})
const call = (name: string, args: JsonObject = {}, more: JsonObject = {}): JsonObject =>
  request('tools/call', { name, arguments: args }, more)

const kinds = ({ outcomes }: Ran): unknown[] => outcomes.map(({ outcome }) => outcome)
const methods = ({ sent }: Ran): unknown[] => sent.flatMap(({ method }) => method ?? [])
const answersTo = ({ sent }: Ran): JsonObject[] =>
  sent
    .filter(message => message.method === undefined && isObject(message.result))
    .map(({ result }) => result as JsonObject)

const BOTH: Via[] = ['http', 'stdio']

describe.each(BOTH)('the reference client over %s', via => {
  test('connects, lists the tools and leaves', async () => {
    const ran = await run(via, { scenario: 'initialize' })
    expect(ran.text).toBe('{"step":0,"outcome":"result"}\n')
    expect(ran.code).toBe(0)
    expect(methods(ran).slice(0, 3)).toEqual(['initialize', 'notifications/initialized', 'tools/list'])
    expect(ran.sent[0]).toMatchObject({ id: 1, params: { protocolVersion: '2025-11-25' } })
  })
  test('asks for what every server has', async () => {
    const ran = await run(via, {
      steps: [
        request('ping'),
        request('tools/list'),
        call('test_structured_content', { city: 'Bern', days: 2 }),
        call('test_error_handling'),
        request('prompts/list'),
        request('prompts/get', { name: 'test_prompt_with_arguments', arguments: { arg1: 'a', arg2: 'b' } }),
        request('prompts/get', { name: 'nothing' }),
        request('resources/list'),
        request('resources/templates/list'),
        request('resources/read', { uri: 'test://static-text' }),
        request('resources/subscribe', { uri: 'test://watched-resource' }),
        request('resources/unsubscribe', { uri: 'test://watched-resource' }),
        request('resources/unsubscribe', { uri: 'test://static-text' }),
        request('completion/complete', {
          ref: { type: 'ref/prompt', name: 'test_prompt_with_arguments' },
          argument: { name: 'arg1', value: 'te' },
        }),
        request('logging/setLevel', { level: 'info' }),
        call('test_tool_with_logging'),
        call('test_tool_with_progress', {}, { progress: true }),
        request('roots/list'),
        request('x/unknown'),
      ],
    })
    expect(ran.text.split('\n').filter(line => line.includes('"error"'))).toEqual([
      expect.stringContaining('"step":6,"outcome":"error","code":-32602'),
      expect.stringContaining('"step":12,"outcome":"error"'),
      expect.stringContaining('"step":18,"outcome":"error","code":-32601'),
    ])
    expect(ran.outcomes[17]).toMatchObject({ outcome: 'unsupported' })
    expect(ran.outcomes).toHaveLength(19)
    expect(ran.code).toBe(0)
  })
  test('answers when it is asked', async () => {
    const ran = await run(via, {
      steps: [
        call('test_sampling', { prompt: 'hello' }),
        call('test_sampling_with_tools', { prompt: 'hello' }),
        call('test_elicitation', { message: 'who' }),
        call('test_elicitation_sep1034_defaults'),
        call('test_elicitation_sep1330_enums'),
        call('test_elicitation_url'),
        call('test_sampling_as_task'),
      ],
    })
    expect(kinds(ran)).toEqual(Array(7).fill('result'))
    const answers = answersTo(ran)
    expect(answers).toContainEqual({ roots: [{ uri: 'file:///project', name: 'project' }] })
    expect(answers).toContainEqual({ action: 'accept', content: { username: 'test', email: 'someone@example.com' } })
    expect(answers).toContainEqual({
      action: 'accept',
      content: { name: 'John Doe', age: 30, score: 95.5, status: 'active', verified: true },
    })
    expect(answers).toContainEqual({ action: 'accept' })
    expect(answers.filter(({ model }) => model === 'reference-model')).toHaveLength(3)
    expect(answers.filter(({ task }) => isObject(task))).toHaveLength(1)
    expect(answers.filter(({ tasks }) => Array.isArray(tasks))).toHaveLength(1)
    expect(ran.text).toContain('https://example.com/credential')
  })
  test('does what its user says', async () => {
    const ran = await run(via, {
      client: {
        sampling: { error: {} },
        elicitation: { action: 'decline' },
      },
      steps: [call('test_sampling', { prompt: 'hello' }), call('test_elicitation', { message: 'who' })],
    })
    expect(ran.sent).toContainEqual(
      expect.objectContaining({ error: { code: -1, message: 'User rejected sampling request' } }),
    )
    expect(answersTo(ran)).toEqual([{ action: 'decline' }])
  })
  test('refuses what it has not declared', async () => {
    const ran = await run(via, {
      client: {},
      server: { elicits: () => true },
      steps: [call('test_elicitation', { message: 'who' }), call('test_elicitation_url'), { setRoots: [] }],
    })
    expect(ran.sent.filter(({ error }) => isObject(error) && error.code === -32601)).toHaveLength(2)
    expect(ran.sent[0]).toMatchObject({ params: { capabilities: {} } })
    expect(ran.outcomes[2]).toMatchObject({ outcome: 'error' })
  })
  test('does not ask for what the server has not declared', async () => {
    const ran = await run(via, {
      server: { capabilities: {} },
      steps: [request('tools/list'), call('test_simple_text'), request('prompts/list'), request('tasks/list')],
    })
    expect(kinds(ran)).toEqual(Array(4).fill('error'))
    expect(methods(ran)).toEqual(['initialize', 'notifications/initialized'])
  })
  test('tells of roots that have changed, and only of safe ones', async () => {
    const roots = [
      { uri: 'file:///a' },
      { uri: 'file:///a' },
      { uri: 'https://example.com' },
      { uri: 'file:///a/../b' },
      { uri: 'file:///a/%2e%2E/b' },
      { uri: 'file:///c', name: 'c' },
    ]
    const ran = await run(via, { steps: [{ pause: 50 }, { setRoots: roots }, { pause: 100 }] })
    expect(ran.sent).toContainEqual({ jsonrpc: '2.0', method: 'notifications/roots/list_changed' })
    expect(answersTo(ran).at(-1)).toEqual({ roots: [{ uri: 'file:///a' }, { uri: 'file:///c', name: 'c' }] })
  })
  test('gives up in time', async () => {
    const slow = (more: JsonObject): JsonObject => call('test_slow_tool', { milliseconds: 5_000 }, more)
    const ran = await run(via, {
      steps: [
        slow({ timeoutMs: 100, progress: true }),
        slow({ cancelAfterMs: 100, meanwhile: true }),
        call('test_simple_text'),
        { pause: 200 },
      ],
    })
    expect(ran.outcomes.map(({ step, outcome }) => [step, outcome])).toEqual([
      [0, 'error'],
      [2, 'result'],
      [1, 'error'],
      [3, 'result'],
    ])
    const cancelled = ran.sent.filter(({ method }) => method === 'notifications/cancelled')
    const calls = ran.sent.filter(({ method }) => method === 'tools/call')
    expect(cancelled.map(({ params }) => (params as JsonObject).requestId)).toEqual(
      calls.slice(0, 2).map(({ id }) => id),
    )
  })
  test('calls tools as tasks where they allow it', async () => {
    const ran = await run(via, {
      steps: [
        call('test_task_optional', {}, { task: { ttl: 10_000 } }),
        call('test_task_required'),
        call('test_task_forbidden', {}, { task: {} }),
        call('test_task_error', {}, { task: {} }),
        call('test_task_protocol_error', {}, { task: {} }),
        call('test_task_input', {}, { task: {} }),
        call('test_task_slow', {}, { task: {}, cancelAfterMs: 50 }),
        call('test_task_slow', {}, { task: {}, timeoutMs: 50 }),
        request('tasks/list'),
      ],
    })
    expect(kinds(ran)).toEqual(['result', 'result', 'result', 'result', 'error', 'result', 'error', 'error', 'result'])
    expect(ran.outcomes[4]).toMatchObject({ code: -32050 })
    const calls = ran.sent.filter(({ method }) => method === 'tools/call')
    expect(calls.map(({ params }) => isObject((params as JsonObject).task))).toEqual([
      true,
      true,
      false,
      ...Array(5).fill(true),
    ])
    expect(methods(ran).filter(method => method === 'tasks/cancel')).toHaveLength(2)
    const greeted = answersTo(ran).find(({ content }) => isObject(content) && content.name !== undefined)
    expect(greeted).toMatchObject({ _meta: { 'io.modelcontextprotocol/related-task': { taskId: expect.any(String) } } })
  })
  test('calls no tool as a task on a server without tasks', async () => {
    const { tasks: _, ...capabilities } = defaultPolicies().capabilities
    const ran = await run(via, {
      server: { capabilities },
      steps: [request('tools/list'), call('test_task_optional', {}, { task: {} })],
    })
    expect(JSON.stringify(ran.sent)).toContain('"name":"test_task_optional"')
    expect(JSON.stringify(ran.sent)).not.toContain('"task":')
  })
  test('refuses a result that does not fit', async () => {
    const spoil: Tamper = out => {
      if (out.layer !== 'message' || !isObject(out.message) || out.cause?.method !== 'tools/call') return [out]
      const name = (out.cause.params as JsonObject).name
      const result = out.message.result as JsonObject
      if (name === 'test_structured_content')
        return [{ ...out, message: { ...out.message, result: { ...result, structuredContent: { city: 1 } } } }]
      return [{ ...out, message: { ...out.message, result: { content: [{ type: 'smell' }] } } }]
    }
    const ran = await run(via, {
      tamper: spoil,
      steps: [
        request('tools/list'),
        call('test_structured_content', { city: 'Bern', days: 1 }),
        call('test_simple_text'),
        request('ping'),
      ],
    })
    expect(kinds(ran)).toEqual(['result', 'error', 'error', 'result'])
  })
  test('follows pages to their end', async () => {
    const ran = await run(via, {
      server: {
        page: (entries, cursor) => {
          const at = cursor === undefined ? 0 : Number(String(cursor).slice('"é= '.length))
          const next = [3, 4, 4, 9].find(end => end > at || (end === at && cursor === undefined))
          return { entries: entries.slice(at, next), ...(next === 9 ? {} : { nextCursor: `"é= ${next}` }) }
        },
      },
      steps: [request('tools/list')],
    })
    const lists = ran.sent.filter(({ method }) => method === 'tools/list')
    expect(lists.map(({ params }) => (params as JsonObject | undefined)?.cursor)).toEqual([undefined, '"é= 3', '"é= 4'])
  })
  test('leaves a server whose revision it does not speak', async () => {
    const ran = await run(via, { server: { negotiate: () => '1999-01-01' }, scenario: 'initialize' })
    expect(ran.code).toBe(1)
    expect(methods(ran)).toEqual(['initialize'])
  })
  test.each(['2024-11-05', '2025-03-26', '2025-06-18'])('speaks %s', async version => {
    const ran = await run(via, { version, steps: [request('tools/list'), call('test_simple_text')] })
    expect(kinds(ran)).toEqual(['result', 'result'])
    expect(ran.sent[0]).toMatchObject({ params: { protocolVersion: version } })
    expect(JSON.stringify(ran.sent[0])).not.toContain('tasks')
  })
  test('begins anew after a restart', async () => {
    const ran = await run(via, { steps: [call('test_simple_text'), { reconnect: true }, call('test_simple_text')] })
    expect(kinds(ran)).toEqual(['result', 'result', 'result'])
    expect(methods(ran).filter(method => method === 'initialize')).toHaveLength(2)
  })
  test('ends at once when it is killed', async () => {
    const killed = new AbortController()
    setTimeout(() => killed.abort(), 200)
    const ran = await run(via, { steps: [{ pause: 60_000 }], signal: killed.signal })
    expect(ran.code).toBe(1)
  })
  test('crashes where a policy throws', async () => {
    const ran = await run(via, {
      policies: {
        notices: () => {
          throw new Error('too much')
        },
      },
      scenario: 'initialize',
    })
    expect(ran.code).toBe(70)
    expect(ran.text).toBe('unhandled: too much\n')
  })
  test('does not know every scenario', async () => {
    expect((await run(via, { scenario: 'x' })).code).toBe(127)
  })
})

describe('over HTTP', () => {
  test('carries the session and the revision in every request, and ends the session', async () => {
    const ran = await run('http', { scenario: 'initialize' })
    const [first, ...rest] = ran.requests
    expect(first?.headers).toEqual({
      Accept: 'application/json, text/event-stream',
      'Content-Type': 'application/json',
    })
    for (const { headers } of rest) {
      expect(headers['MCP-Session-Id']).toBeDefined()
      expect(headers['MCP-Protocol-Version']).toBe('2025-11-25')
    }
    expect(ran.requests.slice(0, 3).map(({ method }) => method)).toEqual(['POST', 'POST', 'GET'])
    expect(ran.requests.at(-1)?.method).toBe('DELETE')
  })
  test('takes up a stream that the server closed', async () => {
    const ran = await run('http', { steps: [call('test_reconnection')] })
    expect(kinds(ran)).toEqual(['result'])
    const gets = ran.requests.filter(({ method }) => method === 'GET')
    expect(gets[1]?.headers['Last-Event-ID']).toBeDefined()
  })
  test('starts a new session where the server has forgotten it', async () => {
    const server = await serveHttp(defaultPolicies(), forgetOnce())
    const ran = await runAgainst(server.url, [call('test_simple_text'), call('test_simple_text')])
    await server.close()
    expect(kinds(ran)).toEqual(['result', 'result'])
    const opened = ran.requests.filter(({ message }) => isObject(message) && message.method === 'initialize')
    expect(opened).toHaveLength(2)
    expect(opened[1]?.headers).not.toHaveProperty('MCP-Session-Id')
  })
  test.each([400, 404, 405])('looks for the old transport after %s', async status => {
    const ran = await run('http', {
      scenario: 'initialize',
      tamper: refuseAll(status),
      policies: { fallbackWaitMs: 50 },
    })
    expect(ran.code).toBe(1)
    expect(ran.requests.map(({ method }) => method)).toEqual(['POST', 'GET'])
  })
  test('stops where it is not authorized', async () => {
    const ran = await run('http', { scenario: 'initialize', tamper: refuseAll(401) })
    expect(ran.code).toBe(1)
    expect(ran.requests.map(({ method }) => method)).toEqual(['POST'])
  })
  test('goes on without a GET stream', async () => {
    const ran = await run('http', {
      scenario: 'tools_call',
      server: { get: () => ({ status: 405, reason: 'no' }) },
    })
    expect(kinds(ran)).toEqual(['result', 'error'])
  })
})

/** A server that says what the test wants: each message of the client may be answered by several. */
type Script = (message: JsonObject, say: (message: JsonObject) => void, end: () => void) => void

async function runScripted(script: Script, setup: { client?: JsonObject; steps: JsonObject[] }): Promise<Ran> {
  const ran: Ran = { code: -1, outcomes: [], sent: [], requests: [], text: '' }
  ran.code = await runClient(correctClient(), untampered, {
    args: [],
    env: {
      MCP_CONFORMANCE_SERVER_COMMAND: '["inside"]',
      MCP_CONFORMANCE_CONTEXT: JSON.stringify({ name: 'test', client: EVERYTHING, ...setup }),
    },
    out: text => {
      ran.text += text
      if (text.startsWith('{"step"')) ran.outcomes.push(JSON.parse(text))
    },
    launch: () => {
      const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
      const exited = signal<void>()
      const end = (): void => {
        stdout.end()
        exited.resolve()
      }
      const reader = createLineReader(({ json }) => {
        const message = json as JsonObject
        ran.sent.push(message)
        const say = (said: JsonObject): void => void (stdout.writable && stdout.write(`${JSON.stringify(said)}\n`))
        if (message.method === 'initialize') say(result(message.id as Json, INTRODUCTION))
        script(message, say, end)
      })
      stdin.on('data', chunk => reader.feed(chunk))
      stdin.once('end', end)
      return { stdin, stdout, stderr, exited: exited.promise, kill: end }
    },
  })
  return ran
}

const INTRODUCTION: JsonObject = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: {} },
  serverInfo: { name: 'script', version: '1' },
}

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

describe('in the hands of an odd server', () => {
  test('has the user open a page that an error demands, and calls again when that is over', async () => {
    let calls = 0
    const ran = await runScripted(
      (message, say) => {
        if (message.method !== 'tools/call') return
        calls += 1
        if (calls === 2) return say(result(message.id as Json, { content: [] }))
        const elicitations = [{ mode: 'url', elicitationId: 'e', url: 'https://example.com/x', message: 'm' }]
        say(failure(message.id as Json, -32042, 'first that', { elicitations }))
        const complete = (elicitationId: string): void =>
          say({ jsonrpc: '2.0', method: 'notifications/elicitation/complete', params: { elicitationId } })
        complete('unknown')
        setTimeout(complete, 20, 'e')
        setTimeout(complete, 30, 'e')
      },
      { steps: [call('x'), { pause: 50 }] },
    )
    expect(kinds(ran)).toEqual(['result', 'result'])
    expect(ran.text).toContain('https://example.com/x')
    expect(calls).toBe(2)
  })
  test('lives with noise', async () => {
    const ran = await runScripted(
      (message, say) => {
        if (message.method !== 'ping') return
        const tell = (method: string, params: Json): void => say({ jsonrpc: '2.0', method, params } as JsonObject)
        for (const params of [null, 5, {}, { requestId: null }, { requestId: {} }, { reason: 5 }]) {
          tell('notifications/cancelled', params)
          tell('notifications/progress', params)
          tell('notifications/x', params)
        }
        tell('notifications/message', { level: 'loud' })
        tell('notifications/tools/list_changed', {})
        say(result('no-such-id', {}))
        say(result(message.id as Json, { extra: 1, _meta: { 'io.modelcontextprotocol/x': null } }))
        say(result(message.id as Json, {}))
        say(failure(undefined, -32700, 'what?'))
        say(failure(null, -32700, 'what?'))
        say([1] as unknown as JsonObject)
        say({ jsonrpc: '2.0', id: null, method: 'ping' } as JsonObject)
        say({ jsonrpc: '2.0', id: 'p', method: 'ping', params: { _meta: { a: 1 } } })
      },
      { steps: [request('ping'), request('ping'), { pause: 20 }] },
    )
    expect(kinds(ran)).toEqual(['result', 'result', 'result'])
    expect(ran.sent.filter(({ method }) => method === undefined)).toEqual(Array(2).fill(result('p', {})))
    expect(ran.code).toBe(0)
  })
  test('answers pings before the handshake is over', async () => {
    const ran = await runScripted(
      (message, say) => {
        if (message.method === 'initialize') for (const id of ['a', 'b']) say({ jsonrpc: '2.0', id, method: 'ping' })
      },
      { steps: [{ pause: 20 }] },
    )
    expect(ran.sent.filter(({ method }) => method === undefined)).toHaveLength(2)
  })
  test('notices that the server has ended', async () => {
    const ran = await runScripted(
      (message, _say, end) => {
        if (message.method === 'tools/list') end()
      },
      { steps: [request('tools/list'), request('ping')] },
    )
    expect(kinds(ran)).toEqual(['error', 'error'])
    expect(ran.code).toBe(1)
  })
  test('lives with broken lists, and with a dialect that nobody knows', async () => {
    const tools = [
      { name: 'echo', inputSchema: { type: 'object' }, icons: [{ src: 5 }, 7] },
      { name: 'ECHO', outputSchema: { $schema: 'https://example.com/no-such-dialect' } },
      null,
      { inputSchema: 5 },
    ] as Json
    const ran = await runScripted(
      (message, say) => {
        if (message.method === 'tools/list') say(result(message.id as Json, { tools, nextCursor: null }))
        if (message.method === 'tools/call')
          say(result(message.id as Json, { content: [], structuredContent: { a: 1 } }))
      },
      { steps: [request('tools/list'), call('echo'), call('ECHO')] },
    )
    expect(kinds(ran)).toEqual(['result', 'result', 'error'])
    expect(ran.outcomes[2]?.message).toContain('dialect')
  })
})

describe('over stdio', () => {
  test('ends a server that does not want to end', async () => {
    const ran = await run('stdio', {
      scenario: 'initialize',
      server: { onEof: 'stay', onTerminate: 'stay' },
      policies: {
        shutdown: [
          { does: 'close stdin', waitMs: 20 },
          { does: 'SIGTERM', waitMs: 20 },
          { does: 'SIGKILL', waitMs: 20 },
        ],
      },
    })
    expect(ran.code).toBe(0)
  })
})

const refuseAll =
  (status: number): Tamper =>
  out =>
    out.layer === 'http' ? [{ ...out, status, headers: {}, body: '' }] : [out]

function forgetOnce(): Tamper {
  let calls = 0
  return out => {
    if (out.layer !== 'http' || !isObject(out.request.message) || out.request.message.method !== 'tools/call')
      return [out]
    calls += 1
    return calls === 2 ? [{ ...out, status: 404, headers: {}, body: '' }] : [out]
  }
}

async function runAgainst(url: string, steps: JsonObject[]): Promise<Ran> {
  const ran: Ran = { code: -1, outcomes: [], sent: [], requests: [], text: '' }
  ran.code = await runClient(
    correctClient(),
    out => {
      if (out.layer === 'request') ran.requests.push(out)
      return [out]
    },
    {
      args: [url],
      env: { MCP_CONFORMANCE_CONTEXT: JSON.stringify({ name: 'test', client: {}, steps }) },
      out: text => {
        if (text.startsWith('{"step"')) ran.outcomes.push(JSON.parse(text))
      },
      launch: () => inside(defaultPolicies(), untampered),
    },
  )
  return ran
}
