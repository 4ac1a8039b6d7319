/** A tool of the reference server: how it is listed, and what a call of it does. */
import type { JsonObject } from '../../wire/json-rpc.ts'
import type { Answer } from './answer.ts'
import type { Tools } from './tools.ts'

export interface Tool {
  definition: JsonObject
  /** A result; an error only where the tool itself was not reached. */
  call(args: JsonObject, tools: Tools, params: JsonObject): Answer | Promise<Answer>
}

const none = { type: 'object', properties: {} }

export const text = (value: string): JsonObject => ({ content: [{ type: 'text', text: value }] })

export const tool = (
  name: string,
  description: string,
  call: Tool['call'],
  inputSchema: JsonObject = none,
  more: JsonObject = {},
): Tool => ({
  definition: { name, title: description, description, inputSchema, annotations: { readOnlyHint: true }, ...more },
  call,
})
