import { askedIn, at, isObject, type Json, type JsonObject, judge, monitor, tampers } from '../../src/suite/monitor.ts'

/** Names of fields that can mean nothing else, in separate lower-case words. Names and e-mail addresses are allowed. */
const SECRET =
  /(?:^| )(?:password|passwd|passphrase|api ?key|access token|auth token|bearer token|refresh token|secret|secret key|private key|client secret|credit card(?: number)?|card number|cvv|cvc)$/
/** In a sentence they are only a hint: it may as well warn of entering them. */
const HINT = /\b(?:password|passphrase|api[ _-]?key|access token|private key|credit card|cvv)\b/i
const EXPECTED = 'no field for a password, a key, a token or the number of a card'
const LINK = /\bhttps?:\/\//i

/** What a form must not ask for, and what is not to be put before users as a link (client/elicitation#safe-url-handling). */
export default monitor({
  title: 'Forms ask for no secrets and show no links',
  needs: { since: '2025-06-18' },
  claims: {
    secrets: 'elicitation.form.no-sensitive-information',
    links: 'elicitation.form.no-clickable-urls',
  },
  start: () => undefined,
  *see(_state, frame) {
    for (const { mode, message, requestedSchema } of askedIn(frame, 'elicitation/create')) {
      const properties = at(requestedSchema, 'properties')
      if (mode === 'url' || !isObject(properties)) continue
      const fields = Object.entries(properties)
      // Whether to reset a password may be asked; the password itself is a free text.
      const free = fields.filter(([, field]) => isFree(field))
      for (const [name, field] of free) {
        const clear = [name, at(field, 'title')].some(text => SECRET.test(words(text)))
        const hinted = HINT.test(String(at(field, 'description')))
        const outcome = clear ? 'breaks' : hinted ? 'bends' : 'holds'
        yield judge('secrets', outcome, EXPECTED, frame, { kind: 'unasked', subject: name })
      }
      const hinted = free.length > 0 && HINT.test(String(message))
      yield judge('secrets', hinted ? 'bends' : 'holds', EXPECTED, frame, { kind: 'unasked', subject: 'message' })
      const shown: [string, Json | undefined][] = [
        ['message', message],
        ...textsOf(requestedSchema).map((text): [string, Json | undefined] => ['requestedSchema', text]),
        ...fields.flatMap(([name, field]) => textsOf(field).map((text): [string, Json | undefined] => [name, text])),
      ]
      for (const [subject, text] of shown)
        yield judge('links', !LINK.test(String(text)), 'no http(s) link in any text', frame, {
          kind: 'unasked',
          subject,
        })
    }
  },
  defects: [
    { named: 'asks for a password', kind: 'unasked', ...form('secrets', { password: { type: 'string' } }) },
    { named: 'asks for an apiKey', kind: 'unasked', ...form('secrets', { githubApiKey: { type: 'string' } }) },
    {
      named: 'asks for a card',
      kind: 'unasked',
      ...form('secrets', { a: { type: 'string', title: 'Credit card number' } }),
    },
    { named: 'asks for the code of a card', kind: 'unasked', ...form('secrets', { cvv: { type: 'integer' } }) },
    {
      named: 'hides the password in the message',
      kind: 'unasked',
      verdict: 'warn',
      ...form('secrets', { a: { type: 'string' } }, 'Enter your password'),
    },
    { named: 'shows a link in the message', kind: 'unasked', ...form('links', {}, 'See https://example.com/') },
    {
      named: 'shows a link in a title',
      kind: 'unasked',
      ...form('links', { a: { type: 'string', title: 'http://example.com' } }),
    },
    {
      named: 'shows a link in a choice',
      kind: 'unasked',
      ...form('links', { a: { type: 'string', oneOf: [{ const: 'a', title: 'https://example.com/a' }] } }),
    },
  ],
  variants: [
    { named: 'asks for name and address', on: 'server/elicitation/form', shows: ['secrets', 'links'], replace: {} },
    harmless('a choice about passwords', { reset_password: { type: 'boolean' } }),
    harmless('a rule for tokens', { maxTokens: { type: 'integer' } }),
    harmless('a link as a value', { homepage: { type: 'string', format: 'uri', default: 'https://example.com/' } }),
  ],
})

const isFree = (field: Json | undefined): boolean => {
  const type = at(field, 'type')
  const chosen = at(field, 'enum') !== undefined || at(field, 'oneOf') !== undefined
  return (type === 'string' && !chosen) || type === 'number' || type === 'integer'
}

/** githubApiKey, github_api_key and "GitHub API key" are one. */
const words = (text: Json | undefined): string =>
  String(text ?? '')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[^A-Za-z0-9]+/g, ' ')
    .trim()
    .toLowerCase()

/** What a user reads of a schema: values are data. */
function textsOf(schema: Json | undefined): (Json | undefined)[] {
  const choices = [at(schema, 'oneOf'), at(schema, 'items', 'anyOf')].flatMap(one => (Array.isArray(one) ? one : []))
  return [at(schema, 'title'), at(schema, 'description'), ...choices.map(choice => at(choice, 'title'))]
}

function form<C extends string>(breaks: C, properties: JsonObject, message = 'hello') {
  return { breaks, ...asking(properties, message) }
}

function harmless(named: string, properties: JsonObject) {
  return { named, shows: ['secrets' as const, 'links' as const], ...asking(properties, 'hello') }
}

function asking(properties: JsonObject, message: string) {
  return {
    on: 'server/elicitation/form',
    tamper: tampers.message(one =>
      one.method === 'elicitation/create'
        ? { ...one, params: { message, requestedSchema: { type: 'object', properties } } }
        : one,
    ),
  }
}
