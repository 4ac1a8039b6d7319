/** Requests to a model that may use tools (client/sampling#sampling-with-tools). */
import type { Json, JsonObject } from '../../../src/suite/client.ts'

export const WEATHER: JsonObject = {
  name: 'get_weather',
  description: 'The weather in a city',
  inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
}

const text = (words: string): JsonObject => ({ type: 'text', text: words })
const user = (...content: Json[]): JsonObject => ({
  role: 'user',
  content: content.length === 1 ? (content[0] as Json) : content,
})

export const useOf = (id: string, city: string): JsonObject => ({
  type: 'tool_use',
  id,
  name: 'get_weather',
  input: { city },
})
export const resultOf = (toolUseId: string): JsonObject => ({
  type: 'tool_result',
  toolUseId,
  content: [text('18 degrees')],
})

export const QUESTION = user(text('What is the weather in Paris and in London?'))

/** A request with one tool; the conversation is the question alone, or what is given. */
export const withTool = (mode?: 'auto' | 'required' | 'none', messages: Json[] = [QUESTION]): JsonObject => ({
  messages,
  maxTokens: 1_000,
  tools: [WEATHER],
  ...(mode === undefined ? {} : { toolChoice: { mode } }),
})

const used: JsonObject = { role: 'assistant', content: [useOf('use-paris', 'Paris'), useOf('use-london', 'London')] }

/** Conversations in which the model has used tools: with all the results, with one of them, with words among them. */
export const CONVERSATIONS = {
  whole: [QUESTION, used, user(resultOf('use-paris'), resultOf('use-london'))],
  missing: [QUESTION, used, user(resultOf('use-paris'))],
  mixed: [QUESTION, used, user(resultOf('use-paris'), resultOf('use-london'), text('Those are the results.'))],
} satisfies Record<string, Json[]>
