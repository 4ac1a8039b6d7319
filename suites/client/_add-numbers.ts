/** The tool of the official scenario `tools_call`, for scripts that answer `tools/list` themselves. */
import { ADD_NUMBERS, type CallAnswer } from '../../src/suite/client.ts'

export { ADD_NUMBERS }

export const LISTED: CallAnswer = { result: { tools: [ADD_NUMBERS] } }
export const ADDED: CallAnswer = { result: { content: [{ type: 'text', text: 'The sum is 8' }] } }
