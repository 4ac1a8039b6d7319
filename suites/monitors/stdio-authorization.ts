import {
  at,
  failure,
  idKey,
  type Json,
  judge,
  monitor,
  ourMessages,
  shapeOf,
  tampers,
  textAt,
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
  start: () => new Map<string, string>(),
  *see(asked, frame) {
    for (const message of ourMessages(frame)) {
      const method = textAt(message, 'method') ?? ''
      if (PLAIN.has(method)) asked.set(idKey(at(message, 'id')), method)
    }
    for (const message of theirMessages(frame)) {
      const key = idKey(at(message, 'id'))
      const subject = asked.get(key)
      if (subject === undefined) continue
      asked.delete(key)
      const challenged = shapeOf(message) === 'error' && CHALLENGE.test(errorText(message))
      const expected = 'no demand of an OAuth authorization over stdio'
      yield judge('open', !challenged, expected, frame, { kind: 'refused', subject })
    }
  },
  defects: [
    {
      named: 'initialize is refused until the user has authorized',
      on: 'server/lifecycle/handshake',
      breaks: 'open',
      kind: 'refused',
      tamper: tampers.answer('initialize', ({ id }) =>
        failure(id, -32001, 'Unauthorized', { 'WWW-Authenticate': 'Bearer error="invalid_token"' }),
      ),
    },
    {
      named: 'the list of tools needs OAuth',
      on: 'server/base/tool-schemas',
      breaks: 'open',
      kind: 'refused',
      tamper: tampers.refuse('tools/list', -32000, 'Complete the OAuth flow at https://example.com/authorize first'),
    },
  ],
  variants: [
    {
      named: 'an API key is missing in the environment',
      on: 'server/base/tool-schemas',
      tamper: tampers.refuse('tools/list', -32000, 'EXAMPLE_API_KEY is not set'),
    },
  ],
})

const errorText = (message: Json): string => JSON.stringify(at(message, 'error') ?? '')
