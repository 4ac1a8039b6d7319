/** Questions that several scripts ask a client. */
import type { JsonObject } from '../../src/suite/client.ts'

/** The least that a model can be asked. */
export const PROMPT: JsonObject = {
  messages: [{ role: 'user', content: { type: 'text', text: 'Say hello.' } }],
  maxTokens: 50,
}

/** A form that may be sent as it was opened: nothing in it is required. It says no mode, as before there were any. */
export const FORM: JsonObject = {
  message: 'What is your nickname?',
  requestedSchema: { type: 'object', properties: { nickname: { type: 'string' } } },
}

/** A page that cannot exist: the top-level domain `invalid` is reserved for that. */
export const pageAt = (
  elicitationId: string,
  url = `https://mcp-conformance.invalid/${encodeURIComponent(elicitationId)}`,
): JsonObject => ({
  mode: 'url',
  message: 'Please enter your key on this page.',
  elicitationId,
  url,
})
