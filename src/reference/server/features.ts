/** What the reference server offers: the fixtures that SDK authors already know, by the same names. */
import { at, codes, isObject, type Json, type JsonObject, textAt } from '../../wire/json-rpc.ts'
import type { Tools } from './session.ts'

export type Answer = JsonObject | { error: { code: number; message: string; data?: Json } }
export type Feature = (params: JsonObject, tools: Tools) => Answer | Promise<Answer>

const error = (code: number, message: string, data?: Json): Answer => ({
  error: { code, message, ...(data === undefined ? {} : { data }) },
})
const text = (value: string): JsonObject => ({ content: [{ type: 'text', text: value }] })
const none = { type: 'object', properties: {} }
/** Time between two steps of a slow tool. */
const STEP_MS = 50

interface Tool {
  definition: JsonObject
  call(args: JsonObject, tools: Tools, params: JsonObject): JsonObject | Promise<JsonObject>
}

const tool = (name: string, description: string, call: Tool['call'], inputSchema: JsonObject = none): Tool => ({
  definition: { name, title: description, description, inputSchema, annotations: { readOnlyHint: true } },
  call,
})

const catalogue: Tool[] = [
  tool('test_simple_text', 'Returns one text', () => text('This is a simple text response for testing.')),
  tool('test_error_handling', 'Returns a tool error', () => ({
    ...text('This tool intentionally returns an error for testing'),
    isError: true,
  })),
  tool('test_tool_with_progress', 'Reports progress three times', async (_args, tools, params) => {
    const token = at(params, '_meta', 'progressToken')
    for (const progress of [0, 50, 100]) {
      if (token !== undefined) tools.notify('notifications/progress', { progressToken: token, progress, total: 100 })
      await tools.policies.sleep(STEP_MS)
    }
    return text(String(token ?? 'no progress token'))
  }),
  tool('test_tool_with_logging', 'Logs three times', async (_args, tools) => {
    for (const data of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      tools.notify('notifications/message', { level: 'info', data })
      await tools.policies.sleep(STEP_MS)
    }
    return text('Tool with logging executed successfully')
  }),
  tool('test_reconnection', 'Closes the stream of its call, then returns its result', async (_args, tools) => {
    tools.closeConnection()
    await tools.policies.sleep(STEP_MS)
    return text('Reconnection test completed successfully')
  }),
  tool(
    'test_sampling',
    'Asks the client for a completion',
    async (args, tools) => {
      if (!isObject(tools.session.clientCapabilities.sampling)) {
        return { ...text('the client does not offer sampling'), isError: true }
      }
      const prompt = textAt(args, 'prompt') ?? ''
      const reply = await tools.ask('sampling/createMessage', {
        messages: [{ role: 'user', content: { type: 'text', text: prompt } }],
        maxTokens: 100,
      })
      if (reply.error !== undefined) return { ...text('the client gave no completion'), isError: true }
      return text(`LLM response: ${textAt(reply, 'result', 'content', 'text') ?? ''}`)
    },
    { type: 'object', properties: { prompt: { type: 'string' } }, required: ['prompt'] },
  ),
]

/** Their schemas mean one thing under the dialect that they name and another under others. */
const dialectTools: Tool[] = [
  tool('test_schema_default_dialect', 'Takes a pair, described under 2020-12', () => text('accepted'), {
    type: 'object',
    properties: { pair: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }] } },
    required: ['pair'],
  }),
  tool(
    'test_schema_draft_07',
    'Takes a pair and anything beside it, described under draft-07',
    () => text('accepted'),
    {
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      properties: {
        pair: { type: 'array', items: [{ type: 'string' }, { type: 'integer' }] },
        loose: { type: 'array', prefixItems: [{ type: 'string' }] },
      },
      required: ['pair'],
    },
  ),
  tool('test_schema_unknown_dialect', 'Takes a pair, described in a dialect of its own', () => text('accepted'), {
    $schema: 'https://example.com/no-such-dialect',
    type: 'object',
    properties: { pair: { type: 'array' } },
    required: ['pair'],
  }),
]
catalogue.push(...dialectTools)

const resources: JsonObject[] = [
  { uri: 'test://static-text', name: 'static-text', title: 'A text', mimeType: 'text/plain' },
  { uri: 'test://static-binary', name: 'static-binary', title: 'A picture', mimeType: 'image/png' },
]
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const prompts: JsonObject[] = [
  { name: 'test_simple_prompt', description: 'A prompt without arguments' },
  {
    name: 'test_prompt_with_arguments',
    description: 'A prompt with two arguments',
    arguments: [
      { name: 'arg1', description: 'the first', required: true },
      { name: 'arg2', description: 'the second', required: true },
    ],
  },
  { name: 'test_failing_prompt', description: 'A prompt whose making fails unexpectedly' },
]

function readResource(params: JsonObject): Answer {
  const uri = params.uri
  if (typeof uri !== 'string') return error(codes.invalidParams, 'uri is missing')
  if (uri === 'test://static-text') {
    return { contents: [{ uri, mimeType: 'text/plain', text: 'This is the content of the static text resource.' }] }
  }
  if (uri === 'test://static-binary') return { contents: [{ uri, mimeType: 'image/png', blob: PIXEL }] }
  return error(codes.resourceNotFound, 'Resource not found', { uri })
}

function getPrompt(params: JsonObject): Answer {
  const say = (value: string): JsonObject => ({ messages: [{ role: 'user', content: { type: 'text', text: value } }] })
  if (params.name === 'test_simple_prompt') return say('This is a simple prompt for testing.')
  if (params.name === 'test_prompt_with_arguments') {
    const one = textAt(params, 'arguments', 'arg1')
    const two = textAt(params, 'arguments', 'arg2')
    if (one === undefined || two === undefined) return error(codes.invalidParams, 'arg1 and arg2 are required')
    return say(`Prompt with arguments: arg1='${one}', arg2='${two}'`)
  }
  if (params.name === 'test_failing_prompt') throw new Error('This prompt intentionally fails for testing')
  return error(codes.invalidParams, 'there is no such prompt')
}

async function callTool(params: JsonObject, tools: Tools): Promise<Answer> {
  const found = catalogue.find(one => one.definition.name === params.name)
  if (found === undefined) return error(codes.invalidParams, `Unknown tool: ${String(params.name)}`)
  const args = isObject(params.arguments) ? params.arguments : {}
  const problem = tools.policies.argumentProblems(found.definition.inputSchema, args)
  if (problem !== undefined) return { ...text(`Invalid arguments: ${problem}`), isError: true }
  return found.call(args, tools, params)
}

/** A list has one page; any cursor but ours is refused. */
const list =
  (member: string, entries: JsonObject[]): Feature =>
  params =>
    params.cursor === undefined ? { [member]: entries } : error(codes.invalidParams, 'this cursor is not ours')

const LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency']

export const features: Record<string, { capability?: string; run: Feature }> = {
  ping: { run: () => ({}) },
  'tools/list': {
    capability: 'tools',
    run: list(
      'tools',
      catalogue.map(one => one.definition),
    ),
  },
  'tools/call': { capability: 'tools', run: callTool },
  'resources/list': { capability: 'resources', run: list('resources', resources) },
  'resources/templates/list': { capability: 'resources', run: list('resourceTemplates', []) },
  'resources/read': { capability: 'resources', run: readResource },
  'resources/subscribe': { capability: 'resources', run: () => ({}) },
  'resources/unsubscribe': { capability: 'resources', run: () => ({}) },
  'prompts/list': { capability: 'prompts', run: list('prompts', prompts) },
  'prompts/get': { capability: 'prompts', run: getPrompt },
  'completion/complete': { capability: 'completions', run: () => ({ completion: { values: [] } }) },
  'logging/setLevel': {
    capability: 'logging',
    run: params => (LEVELS.includes(String(params.level)) ? {} : error(codes.invalidParams, 'there is no such level')),
  },
}
