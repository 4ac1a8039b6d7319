/** The content of a completion that the model of the client gave (client/sampling). */
import { at, isObject, type Json, type JsonObject } from '../../wire/json-rpc.ts'

/** A message has one block or a list of them. */
export const blocksOf = (content: Json | undefined): Json[] =>
  Array.isArray(content) ? content : content === undefined ? [] : [content]

/** What is wrong with the answer to sampling/createMessage; undefined where it can be used. */
export function completionProblem(answer: Json): string | undefined {
  const blocks = blocksOf(at(answer, 'content'))
  if (blocks.length === 0) return 'it has no content'
  if (blocks.some(block => !isObject(block) || !isUsable(block))) return 'a block of it is malformed'
  return at(answer, 'role') === 'assistant' || at(answer, 'role') === 'user' ? undefined : 'its role is unknown'
}

function isUsable(block: JsonObject): boolean {
  const { type, text: words, data, mimeType, id, name, input } = block
  if (type === 'text') return typeof words === 'string'
  if (type === 'image' || type === 'audio') return typeof data === 'string' && typeof mimeType === 'string'
  return type === 'tool_use' && typeof id === 'string' && typeof name === 'string' && isObject(input)
}
