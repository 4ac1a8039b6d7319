/** Tools that ask the model of the client (client/sampling), without and with tools of their own. */
import { at, isObject, type Json, type JsonObject, textAt } from '../../wire/json-rpc.ts'
import { blocksOf } from './completion-content.ts'
import { type Tool, text, tool } from './tool.ts'
import type { Tools } from './tools.ts'

const failed = (value: string): JsonObject => ({ ...text(value), isError: true })

const prompt: JsonObject = { type: 'object', properties: { prompt: { type: 'string' } }, required: ['prompt'] }

/** What the model is offered. */
const WEATHER: JsonObject = {
  name: 'get_weather',
  description: 'The weather of a city',
  inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  outputSchema: {
    type: 'object',
    properties: { city: { type: 'string' }, celsius: { type: 'number' } },
    required: ['city', 'celsius'],
  },
}

function weatherFor(use: Json): JsonObject {
  const toolUseId = at(use, 'id') as Json
  const city = textAt(use, 'input', 'city')
  const block = (value: string): Json => ({ type: 'text', text: value })
  if (at(use, 'name') !== WEATHER.name || city === undefined)
    return { type: 'tool_result', toolUseId, content: [block('there is no such tool')], isError: true }
  return {
    type: 'tool_result',
    toolUseId,
    content: [block(`It is 21 degrees in ${city}.`)],
    structuredContent: { city, celsius: 21 },
  }
}

/** Asks again with what the tools gave, until the model has no use for a tool, or has had enough rounds. */
async function sample(tools: Tools, question: string, offered: JsonObject[]): Promise<JsonObject> {
  const { policies } = tools
  const messages: JsonObject[] = [{ role: 'user', content: { type: 'text', text: question } }]
  for (let round = 1; round <= policies.samplingRounds; round += 1) {
    const choice = { mode: round === policies.samplingRounds ? 'none' : 'auto' }
    const reply = await tools.ask('sampling/createMessage', {
      messages: [...messages],
      maxTokens: 100,
      ...(offered.length === 0 ? {} : { tools: offered, toolChoice: choice }),
    })
    const answer = at(reply, 'result')
    if (answer === undefined) return failed('the client gave no completion')
    const problem = policies.completionProblem(answer)
    if (problem !== undefined) return failed(`the completion cannot be used: ${problem}`)
    const blocks = blocksOf(at(answer, 'content'))
    const uses = blocks.filter(block => at(block, 'type') === 'tool_use')
    if (uses.length === 0) return text(`LLM response: ${blocks.map(block => textAt(block, 'text') ?? '').join('')}`)
    messages.push({ role: 'assistant', content: at(answer, 'content') as Json })
    messages.push({ role: 'user', content: uses.map(weatherFor) })
  }
  return failed('the model wanted too many rounds')
}

export const samplingTools: Tool[] = [
  tool(
    'test_sampling',
    'Asks the client for a completion',
    (args, tools) =>
      isObject(tools.session.clientCapabilities.sampling)
        ? sample(tools, textAt(args, 'prompt') ?? '', [])
        : failed('the client does not offer sampling'),
    prompt,
  ),
  tool(
    'test_sampling_with_tools',
    'Asks the client for a completion that may use a tool',
    (args, tools) => {
      const { policies, session } = tools
      if (!isObject(session.clientCapabilities.sampling)) return failed('the client does not offer sampling')
      return sample(tools, textAt(args, 'prompt') ?? '', policies.samplesWithTools(session) ? [WEATHER] : [])
    },
    prompt,
  ),
]
