import { describe, expect, test } from 'vitest'
import { inItsTime } from '../../prove/proof-clock.ts'
import { isObject, type JsonObject } from '../../wire/json-rpc.ts'
import type { Tamper } from '../outgoing.ts'
import { defaultPolicies } from '../policies.ts'
import { answersTo, BOTH, call, kinds, methods, request, run as runNow, type Setup, type Via } from './trial.ts'

/** By a clock of its own, so that nothing depends on how busy the machine is. */
const run = (via: Via, setup: Setup) => inItsTime(undefined, () => runNow(via, setup))

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
    const ran = await runNow(via, { steps: [{ pause: 60_000 }], signal: killed.signal })
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
