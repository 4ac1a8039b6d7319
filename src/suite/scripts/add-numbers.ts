/** The tool of the official scenario `tools_call`, for scripts that answer `tools/list` themselves. */
import type { CallAnswer } from '../../peers/double/double.ts'

export const ADD_NUMBERS = {
  name: 'add_numbers',
  description: 'Adds two numbers',
  inputSchema: {
    type: 'object',
    properties: { a: { type: 'number' }, b: { type: 'number' } },
    required: ['a', 'b'],
  },
}

export const LISTED: CallAnswer = { result: { tools: [ADD_NUMBERS] } }
export const ADDED: CallAnswer = { result: { content: [{ type: 'text', text: 'The sum is 8' }] } }
