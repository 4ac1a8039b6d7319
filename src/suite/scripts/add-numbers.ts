/** The tool of the official scenario `tools_call`, for scripts that answer `tools/list` themselves. */
import type { CallAnswer } from '../../peers/double/double.ts'
import { ADD_NUMBERS } from '../../spec/official-tool.ts'

export { ADD_NUMBERS }

export const LISTED: CallAnswer = { result: { tools: [ADD_NUMBERS] } }
export const ADDED: CallAnswer = { result: { content: [{ type: 'text', text: 'The sum is 8' }] } }
