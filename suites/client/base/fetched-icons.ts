import {
  type ClientReplacement,
  clientScenario,
  type Hit,
  type HttpSeen,
  headerValue,
  type JsonObject,
  judge,
  type Listener,
  openListener,
  script,
  sent,
  undone,
  unmet,
} from '../../../src/suite/client.ts'
import { ADD_NUMBERS } from '../_add-numbers.ts'

interface Notes {
  /** where the icons are, where redirects lead to, and where nobody speaks HTTP */
  host?: Listener
  foreign?: Listener
  port?: Listener
}

/** Icons may be fetched while a call runs: it takes this long. */
const FETCHING_MS = 250

const LISTED = script({
  drive: { name: 'tools_call' },
  notes: (): Notes => ({}),
  async play(server, notes) {
    const opening = Promise.all([openListener(server), openListener(server)]).then(async ([foreign, port]) => {
      const host = await openListener(server, ({ target }) => answerTo(target, foreign, port))
      return { foreign, port, host }
    })
    server.on('tools/list', async ({ frame }) => {
      const opened = await opening
      Object.assign(notes, opened)
      const authority = server.requests.flatMap(({ headers }) => headerValue(headers, 'host') ?? []).at(-1)
      const own = frame.exchange === undefined || authority === undefined ? [] : [`http://${authority}${OWN}`]
      const tools = [...sourcesOn(opened), ...own].map((src, count) => iconOf(src, count))
      return { result: { tools: [ADD_NUMBERS, ...tools] } }
    })
    server.on('tools/call', async () => {
      await server.pause(FETCHING_MS)
      return { result: { content: [{ type: 'text', text: 'The sum is 8' }] } }
    })
    const { host, foreign, port } = await opening
    await server.pause(EVER_MS)
    await Promise.all([host, foreign, port].map(one => one.close()))
  },
})

const EVER_MS = 10 * 60_000
/** Headers with credentials, which a request for an icon must not have. */
const SECRETS = ['Authorization', 'Cookie', 'MCP-Session-Id']
/** An icon at the origin of the server. */
const OWN = '/icons/own.png'

const iconOf = (src: string, count: number): JsonObject => ({
  name: `icon_${count}`,
  inputSchema: { type: 'object' },
  icons: [{ src, mimeType: 'image/png', sizes: ['48x48'] }],
})

const sourcesOn = ({ host, port }: { host: Listener; port: Listener }): string[] => [
  host.at('/plain.png'),
  host.at('/to-ftp.png'),
  host.at('/to-foreign.png'),
  port.at('/icon.png', 'ws'),
  port.at('/icon.png', 'ftp'),
  'javascript:fetch("/icon.png")',
  'file:///etc/hostname',
]

const framesOf = (request: Hit | HttpSeen) => ('frame' in request ? [request.frame] : request.frames)

function answerTo(target: string, foreign: Listener, port: Listener) {
  const to = target.startsWith('/to-ftp')
    ? port.at('/redirected.png', 'ftp')
    : target.startsWith('/to-foreign')
      ? foreign.at('/redirected.png')
      : undefined
  if (to !== undefined) return { status: 302, headers: { Location: to }, body: '' }
  return { status: 200, headers: { 'Content-Type': 'image/png' }, body: '' }
}

/** A client that shows no icons looks like one that refuses them all: what it does not fetch cannot be wrong. */
export default clientScenario({
  title:
    'The client fetches icons from safe URLs only, without credentials, and follows no redirect to another scheme or origin',
  script: LISTED,
  claims: {
    secure: 'base.icons.only-https-or-data',
    schemes: 'base.icons.reject-unsafe-schemes',
    redirects: 'base.icons.reject-unsafe-redirects',
    elsewhere: 'base.icons.no-scheme-or-origin-change',
    anonymous: 'base.icons.fetch-without-credentials',
    sameOrigin: 'base.icons.same-origin',
  },
  *run(seen) {
    const { host, foreign, port } = seen.notes
    const [list] = sent(seen, 'tools/list')
    if (host === undefined || foreign === undefined || port === undefined || list === undefined) {
      yield unmet(undone(seen, 'list the tools'))
      return
    }
    const frames = [list.frame]
    const asked = (hits: readonly Hit[], path: string): Hit | undefined => hits.find(({ target }) => target === path)
    const own = seen.requests.find(({ target }) => target === OWN)
    const [any] = host.hits
    const fetched = any?.frame ?? { text: 'no icon was fetched', frames }
    yield judge('secure', any === undefined || 'bends', 'no icon from an http URL', fetched, 'accepted')
    const led = asked(host.hits, '/to-ftp.png') !== undefined
    const knocks = port.connections
    const text = `${knocks} connections to the port of the ws and ftp URLs`
    yield judge('schemes', led || knocks === 0, 'no connection for a ws or ftp URL', { text, frames }, 'accepted')
    // An icon that is not fetched redirects nobody; over TLS this cannot be tried, as nobody trusts our certificate.
    const kept = led ? knocks === 0 : 'n/a'
    yield judge('redirects', kept, 'no connection for a redirect to ftp', { text, frames }, 'accepted')
    const [landed] = foreign.hits
    yield judge(
      'elsewhere',
      asked(host.hits, '/to-foreign.png') === undefined ? 'n/a' : landed === undefined,
      'no request to the other origin that a redirect names',
      landed?.frame ?? fetched,
      'accepted',
    )
    const all = [...host.hits, ...foreign.hits, ...(own === undefined ? [] : [own])]
    for (const secret of SECRETS) {
      const telling = all.find(({ headers }) => headerValue(headers, secret) !== undefined)
      const outcome = all.length === 0 ? 'n/a' : telling === undefined
      const shown = telling === undefined ? fetched : { text: `a request with ${secret}`, frames: framesOf(telling) }
      yield judge('anonymous', outcome, `a request without ${secret}`, shown, { kind: 'leaked', subject: secret })
    }
    const origin = any !== undefined ? 'bends' : own !== undefined ? 'holds' : 'n/a'
    yield judge('sameOrigin', origin, 'icons from the origin of the server only', fetched, 'accepted')
  },
  defects: [
    { named: 'fetches icons by http', breaks: 'secure', kind: 'accepted', also: ['sameOrigin'], replace: fetching({}) },
    {
      named: 'opens any URL',
      breaks: 'schemes',
      kind: 'accepted',
      replace: fetching({ fetches: url => !url.startsWith('http') }),
    },
    {
      named: 'follows a redirect to ftp',
      breaks: 'redirects',
      kind: 'accepted',
      also: ['secure', 'sameOrigin'],
      replace: fetching({ follows: (_from, to) => to.startsWith('ftp:') }),
    },
    {
      named: 'follows a redirect to another origin',
      breaks: 'elsewhere',
      kind: 'accepted',
      also: ['secure', 'sameOrigin'],
      replace: fetching({ follows: (_from, to) => to.startsWith('http:') }),
    },
    {
      named: 'sends what it has to the host of the icon',
      breaks: 'anonymous',
      kind: 'leaked',
      also: ['secure', 'sameOrigin'],
      replace: fetching({ headers: () => [['Authorization', 'Bearer secret']] }),
    },
    {
      named: 'sends the id of the session',
      breaks: 'anonymous',
      kind: 'leaked',
      also: ['secure', 'sameOrigin'],
      via: 'http',
      replace: fetching({
        headers: sessionId => (sessionId === undefined ? [] : [['MCP-Session-Id', sessionId]]),
      }),
    },
    {
      named: 'fetches icons from anywhere',
      breaks: 'sameOrigin',
      kind: 'accepted',
      also: ['secure'],
      replace: fetching({ fetches: url => url.includes('/plain.png') }),
    },
  ],
  variants: [
    {
      named: 'fetches by http, and no more than that',
      shows: ['schemes', 'redirects', 'elsewhere', 'anonymous'],
      bends: ['secure', 'sameOrigin'],
      replace: fetching({}),
    },
    {
      named: 'fetches from the server itself',
      via: 'http',
      shows: ['sameOrigin', 'secure', 'anonymous'],
      replace: fetching({ fetches: url => url.endsWith(OWN) }),
    },
  ],
})

type Rules = Parameters<Extract<ClientReplacement, (...args: never[]) => unknown>>[0]['fetching']

/** A client that fetches the icons of http URLs, with other rules in some points. */
function fetching(rules: Partial<Rules>): ClientReplacement {
  return client => ({
    fetching: {
      ...client.fetching,
      fetches: (url, occasion) => occasion === 'icon' && url.startsWith('http:'),
      ...rules,
    },
  })
}
