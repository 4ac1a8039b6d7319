/** A plain server with everything that the double can do: what it lists, and tools that use the channel of their call. */
import type { Call, CallHandler, Conversation, ServerSetup, ToolDefinition } from '../peers/double/double.ts'
import { LOG_LEVELS } from '../spec/log-levels.ts'
import { at, codes, isObject, type JsonObject, textAt } from '../wire/json-rpc.ts'
import { sleep } from '../wire/wait.ts'

const STEP_MS = 50

const said = (text: string, more: JsonObject = {}) => ({ result: { content: [{ type: 'text', text }], ...more } })

const progress: CallHandler = async call => {
  const progressToken = at(call.params, '_meta', 'progressToken')
  for (const done of [0, 50, 100]) {
    if (progressToken !== undefined)
      await call.notify('notifications/progress', { progressToken, progress: done, total: 100 })
    await sleep(STEP_MS)
  }
  return said(String(progressToken ?? 'no progress token'))
}

const slow: CallHandler = async call => {
  const steps = Math.ceil(Number(at(call.params, 'arguments', 'milliseconds')) / STEP_MS)
  const progressToken = at(call.params, '_meta', 'progressToken')
  for (let step = 1; step <= steps && !call.isCancelled; step += 1) {
    if (progressToken !== undefined)
      await call.notify('notifications/progress', { progressToken, progress: step, total: steps })
    await sleep(STEP_MS)
  }
  return call.isCancelled ? 'silence' : said('Slow tool completed')
}

/** What the client has set in a conversation. */
const levels = new WeakMap<Conversation, string>()

const setLevel: CallHandler = ({ params: { level }, conversation }) => {
  if (typeof level !== 'string' || !LOG_LEVELS.includes(level))
    return { error: { code: codes.invalidParams, message: 'there is no such level' } }
  levels.set(conversation, level)
  return { result: {} }
}

const logging: CallHandler = async call => {
  const isWanted = LOG_LEVELS.indexOf('info') >= LOG_LEVELS.indexOf(levels.get(call.conversation) ?? 'debug')
  for (const data of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
    if (isWanted) await call.notify('notifications/message', { level: 'info', data })
    await sleep(STEP_MS)
  }
  return said('Tool with logging executed successfully')
}

const failed = (why: string) => said(why, { isError: true })

const sampling: CallHandler = async call => {
  if (!isObject(call.conversation.capabilities.sampling)) return failed('the client does not offer sampling')
  const content = { type: 'text', text: textAt(call.params, 'arguments', 'prompt') ?? '' }
  const reply = await call.ask('sampling/createMessage', { messages: [{ role: 'user', content }], maxTokens: 100 })
  if (call.isCancelled) return 'silence'
  const isText = reply.kind === 'result' && textAt(reply.result, 'content', 'type') === 'text'
  const answer = isText ? textAt(reply.result, 'content', 'text') : undefined
  return answer === undefined ? failed('the client gave no completion') : said(`LLM response: ${answer}`)
}

const reconnecting: CallHandler = async (call: Call) => {
  if (call.stream()?.lastEventId !== undefined) await call.stream()?.close()
  await sleep(STEP_MS)
  return said('Reconnection test completed successfully')
}

const tool = (name: string, properties: JsonObject = {}, call: CallHandler) => ({
  call,
  definition: {
    name,
    title: name,
    description: `The tool ${name}`,
    inputSchema: { type: 'object', properties, required: Object.keys(properties) },
    annotations: { readOnlyHint: true },
  } satisfies ToolDefinition,
})

const TOOLS = [
  tool('test_simple_text', {}, () => said('This is a simple text response for testing.')),
  tool('test_error_handling', {}, () => failed('This tool intentionally returns an error for testing')),
  tool('test_tool_with_progress', {}, progress),
  tool('test_slow_tool', { milliseconds: { type: 'integer', minimum: 1, maximum: 60_000 } }, slow),
  tool('test_tool_with_logging', {}, logging),
  tool('test_sampling', { prompt: { type: 'string' } }, sampling),
  tool('test_reconnection', {}, reconnecting),
]

export const plainSetup = (): ServerSetup => ({
  strict: true,
  serverInfo: { name: 'mcp-conformance', title: 'Our server', version: '0.1.0' },
  instructions: 'A plain server.',
  capabilities: { tools: {}, prompts: {}, resources: { subscribe: true }, logging: {}, completions: {} },
  tools: TOOLS.map(({ definition }) => definition),
  calls: Object.fromEntries(TOOLS.map(({ definition, call }) => [definition.name, call])),
  handlers: { 'logging/setLevel': setLevel },
  prompts: [
    { name: 'a_prompt', description: 'A prompt without arguments' },
    { name: 'about', arguments: [{ name: 'topic', description: 'The topic', required: true }] },
  ],
  resources: [{ uri: 'test://plain-text', name: 'plain-text', mimeType: 'text/plain' }],
  templates: [{ uriTemplate: 'test://plain/{id}/data', name: 'plain-data', mimeType: 'text/plain' }],
})
