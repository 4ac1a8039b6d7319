import {
  at,
  idKey,
  type Json,
  judge,
  monitor,
  ourMessages,
  shapeOf,
  tampers,
  theirMessages,
} from '../../src/suite/monitor.ts'

/** Requests that need no service behind the server: what a tool or resource says about its own access is another matter. */
const PLAIN = new Set([
  'initialize',
  'ping',
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
])

/** Words of the authorization framework; a missing API key uses none of them. */
const CHALLENGE = /\boauth\b|www-authenticate|resource_metadata|authorization_(?:uri|url|servers?)|\bbearer\b/i

export default monitor({
  title: 'Over stdio nothing is answered with an OAuth challenge',
  needs: { via: 'stdio' },
  claims: { open: 'base.auth.stdio-no-authorization' },
  start: () => new Set<string>(),
  *see(asked, frame) {
    for (const message of ourMessages(frame)) {
      if (PLAIN.has(String(at(message, 'method')))) asked.add(idKey(at(message, 'id')))
    }
    for (const message of theirMessages(frame)) {
      if (!asked.delete(idKey(at(message, 'id')))) continue
      const challenged = shapeOf(message) === 'error' && CHALLENGE.test(errorText(message))
      yield judge('open', !challenged, 'no demand of an OAuth authorization over stdio', frame)
    }
  },
  defects: [
    {
      named: 'initialize is refused until the user has authorized',
      on: 'server/lifecycle/handshake',
      breaks: 'open',
      tamper: tampers.answer('initialize', ({ id }) => ({
        jsonrpc: '2.0',
        id,
        error: { code: -32001, message: 'Unauthorized', data: { 'WWW-Authenticate': 'Bearer error="invalid_token"' } },
      })),
    },
    {
      named: 'the list of tools needs OAuth',
      on: 'server/base/tool-schemas',
      breaks: 'open',
      tamper: tampers.answer('tools/list', ({ id }) => ({
        jsonrpc: '2.0',
        id,
        error: { code: -32000, message: 'Complete the OAuth flow at https://example.com/authorize first' },
      })),
    },
  ],
  variants: [
    {
      named: 'an API key is missing in the environment',
      on: 'server/base/tool-schemas',
      tamper: tampers.answer('tools/list', ({ id }) => ({
        jsonrpc: '2.0',
        id,
        error: { code: -32000, message: 'EXAMPLE_API_KEY is not set' },
      })),
    },
  ],
})

const errorText = (message: Json): string => JSON.stringify(at(message, 'error') ?? '')
