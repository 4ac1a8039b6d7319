import {
  at,
  type Frame,
  followResults,
  inapplicable,
  isObject,
  isUri,
  type Json,
  judge,
  type Kind,
  lacks,
  monitor,
  type Outcome,
  type Tamper,
  tampers,
  textAt,
} from '../../src/suite/monitor.ts'

const CLAIMS = {
  uri: 'resources.resource.uri-present',
  members: 'resources.resource.optional-members',
  custom: 'resources.uri.custom-rfc3986',
  https: 'resources.uri.https-only-if-directly-fetchable',
} as const
type Claim = keyof typeof CLAIMS

/** Schemes that others define; all further ones are the server's own. */
const STANDARD = ['https', 'http', 'file', 'git']
const SCHEME = /^[a-z][a-z0-9+.-]*$/i
/** Names that the public name service will never have (RFC 2606, RFC 6761). */
const NOWHERE = /\.(?:invalid|test|example|internal)$/
/** An entry is shown up to this length. */
const SHOWN = 160

const NONE = { text: 'no such resource was listed', frames: [] }

/** The answers to resources/list, entry by entry. Types are a matter of monitors/schema. */
export default monitor({
  title: 'A listed resource has a URI that can be used, and a size that can be',
  claims: CLAIMS,
  start: () => followResults('resources/list'),
  *see(follow, frame) {
    const results = follow(frame)
    if (results.length > 0 || lacks(frame, 'resources'))
      yield* inapplicable(Object.keys(CLAIMS) as Claim[], 'a resource that it is about', NONE)
    for (const { result } of results) {
      const listed = at(result, 'resources')
      for (const entry of Array.isArray(listed) ? listed : [])
        for (const [claim, outcome, expected, kind] of rulesFor(entry))
          yield judge(claim, outcome, expected, shown(entry, frame), { kind, subject: textAt(entry, 'uri') ?? 'uri' })
    }
  },
  defects: [
    { named: 'a path as uri', breaks: 'uri', kind: 'malformed', ...listing({ uri: '/notes/today.md', name: 'x' }) },
    {
      named: 'a blank in the uri',
      breaks: 'uri',
      kind: 'malformed',
      verdict: 'warn',
      ...listing({ uri: 'file:///my notes.md', name: 'x' }),
    },
    {
      named: 'a size below zero',
      breaks: 'members',
      kind: 'wrong-value',
      ...listing({ uri: 'test://x', name: 'x', size: -1 }),
    },
    {
      named: 'an underscore in the scheme',
      breaks: 'custom',
      kind: 'malformed',
      also: ['uri'],
      ...listing({ uri: 'my_app://x', name: 'x' }),
    },
    {
      named: 'braces behind its own scheme',
      breaks: 'custom',
      kind: 'malformed',
      verdict: 'warn',
      also: ['uri'],
      ...listing({ uri: 'app://{x}', name: 'x' }),
    },
    {
      named: 'https at a host that cannot be',
      breaks: 'https',
      kind: 'wrong-value',
      ...listing({ uri: 'https://docs.invalid/x', name: 'x' }),
    },
    {
      named: 'https before a bare name',
      breaks: 'https',
      kind: 'wrong-value',
      verdict: 'info',
      ...listing({ uri: 'https://tickets/17', name: 'x' }),
    },
  ],
  variants: [
    {
      named: 'all members, and one of its own',
      shows: ['uri', 'members', 'custom'],
      ...listing({
        uri: 'x-notes+v2.1:today?part=%C3%A9#top',
        name: '',
        title: 'Today',
        description: '',
        mimeType: 'inode/directory',
        size: 0,
        annotations: {},
        icons: [],
        'x-own': 1,
      }),
    },
    { named: 'a URI without authority', shows: ['uri'], ...listing({ uri: 'urn:isbn:0451450523', name: 'x' }) },
    { named: 'a page on the web', ...listing({ uri: 'https://modelcontextprotocol.io/', name: 'x' }) },
  ],
})

const shown = (value: Json, frame: Frame) => ({ text: JSON.stringify(value).slice(0, SHOWN), frames: [frame] })

function* rulesFor(entry: Json): Iterable<[Claim, boolean | Outcome, string, Kind]> {
  const uri = at(entry, 'uri')
  const size = at(entry, 'size')
  if (isObject(entry) && (size === undefined || typeof size === 'number'))
    yield ['members', size === undefined || size >= 0, 'a size that is not below zero', 'wrong-value']
  if (typeof uri !== 'string') return
  yield ['uri', uriOutcome(uri), 'an absolute URI as uri', 'malformed']
  if (!uri.includes(':')) return
  const scheme = uri.slice(0, uri.indexOf(':'))
  if (!STANDARD.includes(scheme.toLowerCase()))
    yield ['custom', !SCHEME.test(scheme) ? 'breaks' : isUri(uri) ? 'holds' : 'bends', 'a URI of RFC 3986', 'malformed']
  const unreachable = scheme.toLowerCase() === 'https' ? hostOutcome(uri) : undefined
  if (unreachable !== undefined)
    yield ['https', unreachable, 'https only for what the client can load itself', 'wrong-value']
}

/** Nothing but a relative reference has no scheme; characters that should be encoded leave it readable. */
function uriOutcome(uri: string): Outcome {
  if (isUri(uri)) return 'holds'
  return /^[^:/?#]+:./.test(uri) ? 'bends' : 'breaks'
}

/**
 * Nothing is loaded: networks and accounts are no part of the target. Only a host that no client can
 * reach tells something, and a bare name that few can.
 */
function hostOutcome(uri: string): Outcome | undefined {
  if (!URL.canParse(uri)) return undefined
  const { hostname } = new URL(uri)
  if (NOWHERE.test(hostname)) return 'breaks'
  return hostname.includes('.') || hostname.startsWith('[') || hostname === 'localhost' ? undefined : 'bends'
}

/** One more resource. */
function listing(entry: Json): { on: string; tamper: Tamper } {
  return {
    on: 'server/resources/listed',
    tamper: tampers.result('resources/list', result => {
      const listed = at(result, 'resources')
      return { ...result, resources: [...(Array.isArray(listed) ? listed : []), entry] }
    }),
  }
}
