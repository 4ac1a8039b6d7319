/** Fixtures for tasks: tools that say in `execution.taskSupport` how they may be called. */
import { at, isObject, type JsonObject, textAt } from '../../wire/json-rpc.ts'
import { askAsTask, listClientTasks } from './client-task.ts'
import { type Tool, text, tool } from './tool.ts'
import type { Tools } from './tools.ts'

/** Time between two steps of a slow tool. */
const STEP_MS = 25
const STEPS = 12

const execution = (taskSupport: string) => ({ execution: { taskSupport } })

export const taskTools: Tool[] = [
  tool(
    'test_task_optional',
    'Returns one text, at once or as a task',
    async (_args, { policies }) => {
      await policies.sleep(STEP_MS)
      return text('This tool was called with or without a task.')
    },
    undefined,
    execution('optional'),
  ),
  tool(
    'test_task_required',
    'Returns one text, as a task only',
    async (_args, { policies }) => {
      await policies.sleep(STEP_MS)
      return text('This tool was called as a task.')
    },
    undefined,
    execution('required'),
  ),
  tool(
    'test_task_forbidden',
    'Returns one text, never as a task',
    () => text('This tool was called without a task.'),
    undefined,
    execution('forbidden'),
  ),
  tool(
    'test_task_slow',
    'Works for a while, step by step, and reports each step as progress',
    async (_args, tools, params) => {
      const token = at(params, '_meta', 'progressToken')
      for (let progress = 1; progress <= STEPS && !tools.cancelled(); progress += 1) {
        await tools.policies.sleep(STEP_MS)
        if (token === undefined || tools.cancelled()) continue
        tools.notify('notifications/progress', { progressToken: token, progress, total: STEPS })
      }
      return text('The slow work is done.')
    },
    undefined,
    execution('optional'),
  ),
  tool(
    'test_task_error',
    'Ends in a tool error',
    () => ({ ...text('This task intentionally ends in a tool error'), isError: true }),
    undefined,
    execution('optional'),
  ),
  tool(
    'test_task_protocol_error',
    'Ends in a JSON-RPC error',
    () => ({
      error: { code: -32050, message: 'This task intentionally ends in a protocol error', data: { intended: true } },
    }),
    undefined,
    execution('optional'),
  ),
  tool('test_task_input', 'Asks for a name and greets', greet, undefined, execution('optional')),
  tool('test_sampling_as_task', 'Asks the client for a completion, as a task where it can', async (_args, tools) => {
    if (!isObject(tools.session.clientCapabilities.sampling)) return failed('the client does not offer sampling')
    const reply = await askAsTask(tools, 'sampling/createMessage', {
      messages: [{ role: 'user', content: { type: 'text', text: 'Say hello.' } }],
      maxTokens: 100,
    })
    await listClientTasks(tools)
    const said = textAt(reply, 'result', 'content', 'text')
    return said === undefined ? failed('the client gave no completion') : text(`LLM response: ${said}`)
  }),
]

const failed = (why: string): JsonObject => ({ ...text(why), isError: true })

async function greet(_args: JsonObject, tools: Tools): Promise<JsonObject> {
  if (!isObject(tools.session.clientCapabilities.elicitation)) return failed('the client does not offer elicitation')
  const reply = await tools.ask('elicitation/create', {
    message: 'What is your name?',
    requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
  })
  await tools.policies.sleep(STEP_MS)
  return text(`Hello, ${textAt(reply, 'result', 'content', 'name') ?? 'stranger'}!`)
}
