import {
  at,
  type Frame,
  followResults,
  isObject,
  isUri,
  type Json,
  type JsonObject,
  judge,
  lacks,
  monitor,
  type Outcome,
  type Revision,
  type Tamper,
  tampers,
} from '../../src/suite/monitor.ts'

const CLAIMS = {
  uri: 'resources.resource.uri-present',
  name: 'resources.resource.name-present',
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

interface State {
  follow: ReturnType<typeof followResults>
  revision(): Revision
  /** resources were listed, or the server has none */
  settled: boolean
  judged: Set<Claim>
}

/** The answers to resources/list, entry by entry. */
export default monitor({
  title: 'A listed resource has a URI, a name and, beyond that, only members of the right type',
  claims: CLAIMS,
  start: ({ revision }): State => ({
    follow: followResults('resources/list'),
    revision,
    settled: false,
    judged: new Set(),
  }),
  *see(state, frame) {
    if (lacks(frame, 'resources')) state.settled = true
    for (const { result } of state.follow(frame)) {
      state.settled = true
      const listed = at(result, 'resources')
      for (const entry of Array.isArray(listed) ? listed : []) {
        for (const [claim, outcome, expected] of rulesFor(entry, state.revision())) {
          state.judged.add(claim)
          yield judge(claim, outcome, expected, shown(entry, frame))
        }
      }
    }
  },
  *end(state) {
    for (const claim of Object.keys(CLAIMS) as Claim[])
      if (state.settled && !state.judged.has(claim))
        yield judge(claim, 'n/a', 'a resource that it is about', { text: 'no such resource was listed', frames: [] })
  },
  defects: [
    { named: 'no uri', breaks: 'uri', ...listing({ name: 'x' }) },
    { named: 'null as uri', breaks: 'uri', ...listing({ uri: null, name: 'x' }) },
    { named: 'a path as uri', breaks: 'uri', ...listing({ uri: '/notes/today.md', name: 'x' }) },
    { named: 'a blank in the uri', breaks: 'uri', ...listing({ uri: 'file:///my notes.md', name: 'x' }) },
    { named: 'an entry that is a text', breaks: 'uri', also: ['name'], ...listing('test://x') },
    { named: 'no name', breaks: 'name', ...listing({ uri: 'test://x' }) },
    { named: 'a number as name', breaks: 'name', ...listing({ uri: 'test://x', name: 7 }) },
    ...[
      { title: null },
      { description: ['a'] },
      { mimeType: null },
      { size: '12' },
      { size: -1 },
      { annotations: [] },
      { icons: {} },
    ].map(member => ({
      named: `lists ${JSON.stringify(member)}`,
      breaks: 'members' as const,
      ...listing({ uri: 'test://x', name: 'x', ...member }),
    })),
    {
      named: 'an underscore in the scheme',
      breaks: 'custom',
      also: ['uri'],
      ...listing({ uri: 'my_app://x', name: 'x' }),
    },
    {
      named: 'braces behind its own scheme',
      breaks: 'custom',
      also: ['uri'],
      ...listing({ uri: 'app://{x}', name: 'x' }),
    },
    {
      named: 'https at a host that cannot be',
      breaks: 'https',
      ...listing({ uri: 'https://docs.invalid/x', name: 'x' }),
    },
    { named: 'https before a bare name', breaks: 'https', ...listing({ uri: 'https://tickets/17', name: 'x' }) },
  ],
  variants: [
    {
      named: 'all members, and one of its own',
      shows: ['uri', 'name', 'members', 'custom'],
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
    {
      named: 'a title of any type, where the revision knew none',
      spec: '2025-03-26',
      ...listing({ uri: 'test://x', name: 'x', title: { en: 'X' } }),
    },
  ],
})

const shown = (value: Json, frame: Frame) => ({ text: JSON.stringify(value).slice(0, SHOWN), frames: [frame] })

function* rulesFor(entry: Json, revision: Revision): Iterable<[Claim, boolean | Outcome, string]> {
  const uri = at(entry, 'uri')
  yield ['uri', uriOutcome(uri), 'an absolute URI as uri']
  yield ['name', typeof at(entry, 'name') === 'string', 'a text as name']
  if (isObject(entry)) yield ['members', membersOf(entry, revision), 'members as the schema has them']
  if (typeof uri !== 'string' || !uri.includes(':')) return
  const scheme = uri.slice(0, uri.indexOf(':'))
  if (!STANDARD.includes(scheme.toLowerCase()))
    yield ['custom', !SCHEME.test(scheme) ? 'breaks' : isUri(uri) ? 'holds' : 'bends', 'a URI of RFC 3986']
  const unreachable = scheme.toLowerCase() === 'https' ? hostOutcome(uri) : undefined
  if (unreachable !== undefined) yield ['https', unreachable, 'https only for what the client can load itself']
}

/** Nothing but a relative reference has no scheme; characters that should be encoded leave it readable. */
function uriOutcome(uri: Json | undefined): Outcome {
  if (isUri(uri)) return 'holds'
  return typeof uri === 'string' && /^[^:/?#]+:./.test(uri) ? 'bends' : 'breaks'
}

function membersOf(entry: JsonObject, revision: Revision): boolean {
  const { title, description, mimeType, size, annotations, icons } = entry
  return (
    [description, mimeType].every(isTextOrAbsent) &&
    (size === undefined || (typeof size === 'number' && size >= 0)) &&
    (annotations === undefined || isObject(annotations)) &&
    (revision < '2025-06-18' || isTextOrAbsent(title)) &&
    (revision < '2025-11-25' || icons === undefined || Array.isArray(icons))
  )
}

const isTextOrAbsent = (value: Json | undefined): boolean => value === undefined || typeof value === 'string'

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
