import {
  askedIn,
  at,
  isObject,
  type Json,
  type JsonObject,
  judge,
  monitor,
  type Tamper,
  tampers,
  textAt,
  theirMessages,
} from '../../src/suite/monitor.ts'

const JWT = /^eyJ[\w-]+\.[\w-]+\.[\w-]*$/
const ADDRESS = /^[\w.+-]+@[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}$/i
/** Parameters that are meant to be read by others, and may be JWTs (RFC 9101). */
const OPEN = new Set(['state', 'request'])
const SECRET = /^(?:password|passwd|pwd|secret|client_secret|api_?key)$/i
const ACCESS = /^(?:access_token|id_token|refresh_token)$/i
/** A signature makes a link that works for whoever has it. */
const SIGNED = /^(?:x-amz-signature|x-goog-signature|sig|signature)$/i
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/i

/**
 * Where users are sent (client/elicitation#safe-url-handling, #url-mode-elicitation-for-oauth-flows). That the members of a
 * request are there and texts is a matter of monitors/schema.
 */
export default monitor({
  title: 'URLs that users are asked to open are valid, secure, and give nothing away',
  needs: { since: '2025-11-25' },
  claims: {
    members: 'elicitation.url.request-members',
    valid: 'elicitation.url.valid-url',
    https: 'elicitation.url.https',
    private: 'elicitation.url.no-sensitive-user-data',
    locked: 'elicitation.url.not-preauthenticated',
    direct: 'elicitation.oauth.user-authorizes-directly',
    foreign: 'elicitation.oauth.not-for-mcp-authorization',
  },
  start: () => undefined,
  *see(_state, frame) {
    const requests = askedIn(frame, 'elicitation/create').filter(({ mode }) => mode === 'url')
    for (const { message, url, elicitationId, requestedSchema } of requests) {
      for (const [subject, value] of Object.entries({ message, url, elicitationId }))
        yield judge('members', value !== '', `a ${subject} that is not empty`, frame, { kind: 'wrong-value', subject })
      yield judge('members', requestedSchema === undefined, 'no requestedSchema', frame, {
        kind: 'unasked',
        subject: 'requestedSchema',
      })
    }
    for (const entry of [...requests, ...theirMessages(frame).flatMap(demanded)]) {
      const text = textAt(entry, 'url')
      if (text === undefined) continue
      const url = URL.canParse(text) ? new URL(text) : undefined
      yield judge('valid', url !== undefined && url.host !== '', 'an absolute URL with a host', frame, 'malformed')
      if (url === undefined) continue
      const secure = url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.test(url.hostname))
      yield judge('https', secure, 'https, or http on this host', frame)
      const parameters = parametersOf(url)
      const telling = parameters.some(([name, value]) => (JWT.test(value) && !OPEN.has(name)) || ADDRESS.test(value))
      const secret = parameters.some(([name]) => SECRET.test(name))
      yield judge(
        'private',
        telling ? 'breaks' : secret ? 'bends' : 'holds',
        'nothing about the user in the URL',
        frame,
        'leaked',
      )
      const inside = url.username !== '' || url.password !== '' || parameters.some(([name]) => ACCESS.test(name))
      const signed = parameters.some(([name]) => SIGNED.test(name))
      const open = inside ? 'breaks' : signed ? 'bends' : 'holds'
      yield judge('locked', open, 'a URL that opens nothing by itself', frame, 'leaked')
      const back = url.searchParams.get('redirect_uri') ?? ''
      if (!url.searchParams.has('client_id') || !URL.canParse(back)) continue
      // From here on it is an authorization request. Its answer goes to the server, which is where the browser is sent back to.
      const home = new URL(back)
      yield judge('direct', /^https?:$/.test(home.protocol), 'a redirect_uri of a server, not of an app', frame)
      const resource = url.searchParams.get('resource') ?? ''
      const itself = URL.canParse(resource) && new URL(resource).origin === home.origin
      yield judge(
        'foreign',
        itself ? 'breaks' : url.origin === home.origin ? 'bends' : 'holds',
        'an authorization for somebody else than the server itself',
        frame,
      )
    }
  },
  defects: [
    { named: 'an empty message', kind: 'wrong-value', ...asking('members', { message: '' }) },
    {
      named: 'a schema beside the url',
      kind: 'unasked',
      ...asking('members', { requestedSchema: { type: 'object', properties: {} } }),
    },
    { named: 'a path', kind: 'malformed', ...asking('valid', { url: '/credential' }) },
    { named: 'plain http', kind: 'wrong-value', ...asking('https', { url: 'http://example.com/' }) },
    {
      named: 'names the user',
      kind: 'leaked',
      ...asking('private', { url: 'https://example.com/?user=octavia%40example.com' }),
    },
    {
      named: 'shows claims',
      kind: 'leaked',
      ...asking('private', { url: 'https://example.com/?u=eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.' }),
    },
    {
      named: 'a secret',
      kind: 'leaked',
      verdict: 'warn',
      ...asking('private', { url: 'https://example.com/?client_secret=1' }),
    },
    { named: 'a user and a password', kind: 'leaked', ...asking('locked', { url: 'https://user:pw@example.com/' }) },
    { named: 'an access token', kind: 'leaked', ...asking('locked', { url: 'https://example.com/#access_token=1' }) },
    {
      named: 'a signed link',
      kind: 'leaked',
      verdict: 'warn',
      ...asking('locked', { url: 'https://example.com/?X-Amz-Signature=1' }),
    },
    {
      named: 'leads back to the client',
      kind: 'wrong-value',
      ...asking('direct', { url: oauth('com.example.app://callback') }),
    },
    {
      named: 'authorizes the client for the server itself',
      kind: 'wrong-value',
      via: 'http',
      ...asking('foreign', { url: oauth('https://mcp.example.org/callback', 'https://mcp.example.org/mcp') }),
    },
  ],
  variants: [
    {
      named: 'a page of its own',
      on: 'server/elicitation/by-url',
      shows: ['members', 'valid', 'https', 'private', 'locked'],
      replace: {},
    },
    {
      named: 'demands a page by error',
      on: 'server/elicitation/required',
      shows: ['valid', 'https', 'private', 'locked'],
      replace: {},
    },
    {
      named: 'sends to a third party',
      shows: ['direct'],
      ...pick(asking('direct', { url: oauth('https://mcp.example.org/callback', 'https://api.example.com/') })),
    },
    {
      named: 'on this host, with a signed state',
      shows: ['https', 'private'],
      ...pick(asking('https', { url: 'http://127.0.0.1:4000/?state=eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.a' })),
    },
  ],
})

/** The elicitations that an error demands. */
function demanded(message: Json): JsonObject[] {
  const entries = at(message, 'error', 'code') === -32042 ? at(message, 'error', 'data', 'elicitations') : undefined
  return Array.isArray(entries) ? entries.filter(isObject) : []
}

/** Of the query and the fragment, and the steps of the path as unnamed ones. */
function parametersOf(url: URL): [name: string, value: string][] {
  const steps = url.pathname.split('/').map(step => {
    try {
      return decodeURIComponent(step)
    } catch {
      return step
    }
  })
  return [
    ...url.searchParams,
    ...new URLSearchParams(url.hash.slice(1)),
    ...steps.map((step): [string, string] => ['', step]),
  ]
}

function oauth(back: string, resource?: string): string {
  const query = new URLSearchParams({ response_type: 'code', client_id: 'example', redirect_uri: back })
  if (resource !== undefined) query.set('resource', resource)
  return `https://login.example.com/authorize?${query}`
}

function asking<C extends string>(breaks: C, change: JsonObject, leaveOut = '') {
  return {
    breaks,
    on: 'server/elicitation/by-url',
    tamper: tampers.message(message => {
      if (message.method !== 'elicitation/create' || !isObject(message.params)) return message
      const { [leaveOut]: _, ...params } = { ...message.params, ...change }
      return { ...message, params }
    }),
  }
}

/** The same change where it is no fault. */
function pick({ on, tamper }: { on: string; tamper: Tamper }) {
  return { on, tamper }
}
