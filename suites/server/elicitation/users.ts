import {
  type HttpReply,
  headerValue,
  judge,
  type Kind,
  type Reply,
  type ServerPeer,
  serverScenario,
  textAt,
  unmet,
} from '../../../src/suite/server.ts'

const NAME = 'test_elicitation_url_required'
/** Credentials of two users that a server made for this test knows. */
const USERS = ['Bearer test_user_1', 'Bearer test_user_2'] as const

export default serverScenario({
  title: 'What was elicited belongs to the user: no session id opens it, and a new session of the same user finds it',
  session: 'no-handshake',
  needs: { via: 'http', since: '2025-11-25' },
  claims: {
    session: 'elicitation.state.not-session-id-alone',
    user: 'elicitation.state.user-from-credentials',
  },
  async *run(peer) {
    const nobody = await open(peer, null)
    if (nobody.headers !== undefined) {
      for (const claim of ['session', 'user'] as const)
        yield judge(claim, 'n/a', 'a server that asks for credentials', nobody.reply)
      return
    }
    const ours = await open(peer, undefined)
    const first = ours.headers === undefined ? await open(peer, USERS[0]) : ours
    if (first.headers === undefined) {
      yield unmet('the server asks for credentials, and does not take ours')
      return
    }
    const named = first.headers['MCP-Session-Id'] !== undefined
    const refused = 'HTTP 401, 403 or 404 for the session of a user'
    if (named) {
      const bare = await peer.http({
        method: 'POST',
        headers: { ...first.headers, Authorization: null },
        body: peer.draft('tools/list'),
      })
      yield judge('session', isRefused(bare), `${refused}, named without credentials`, bare, {
        kind: faultOf(bare),
        subject: 'no credentials',
      })
    } else yield judge('session', 'n/a', 'a session id', first.reply)
    const second = await open(peer, USERS[1])
    if (first === ours || second.headers === undefined) {
      yield unmet('the credentials of two users are not known to us', 'user')
      return
    }
    if (named) {
      const headers = { ...first.headers, Authorization: USERS[1] }
      const foreign = await peer.http({ method: 'POST', headers, body: peer.draft('tools/list') })
      yield judge('session', isRefused(foreign), `${refused}, named by another user`, foreign, {
        kind: faultOf(foreign),
        subject: 'another user',
      })
    }
    const call = (name: string, headers: Headers, args = {}) =>
      peer.request('tools/call', { name, arguments: args }, { headers })
    const needed = await call(NAME, first.headers)
    const id = needed.kind === 'error' ? textAt(needed.data, 'elicitations', 0, 'elicitationId') : undefined
    if (id === undefined) {
      yield unmet(`fixture ${NAME} not offered, or it demands no elicitation`, 'user')
      return
    }
    await call('test_elicitation_url_finish', first.headers, { elicitationId: id, credential: 'none' })
    const stranger = await call(NAME, second.headers)
    yield judge('user', stranger.kind !== 'result', 'an elicitation for the other user as well', stranger, 'leaked')
    const anew = await open(peer, USERS[0])
    const later = anew.headers === undefined ? anew.reply : await call(NAME, anew.headers)
    yield judge(
      'user',
      later.kind === 'result',
      'no second elicitation for the same user in a new session',
      later,
      'lost',
    )
  },
  defects: [
    {
      named: 'a session id is enough',
      breaks: 'session',
      kind: 'accepted',
      replace: { ...guarded(), foreignSession: () => undefined },
    },
    {
      named: 'looks at credentials at the start only',
      breaks: 'session',
      kind: 'accepted',
      replace: lenient,
    },
    {
      named: 'ties what was elicited to the session',
      breaks: 'user',
      kind: 'lost',
      replace: { ...guarded(), userOf: session => session },
    },
    {
      named: 'keeps what was elicited for everybody',
      breaks: 'user',
      kind: 'leaked',
      replace: { ...guarded(), userOf: () => 'everybody' },
    },
  ],
  variants: [
    { named: 'two users', shows: ['session', 'user'], replace: guarded() },
    { named: 'other users', replace: { identify: () => ({ status: 401, reason: 'unknown' }) } },
  ],
})

type Headers = Record<string, string | null>

/** Opens a session with these credentials: null for none at all, undefined for those of the run. */
async function open(
  peer: ServerPeer,
  credentials: string | null | undefined,
): Promise<{ reply: Reply; headers?: Headers }> {
  const own: Headers = credentials === undefined ? {} : { Authorization: credentials }
  const params = { ...peer.hello.params, capabilities: { elicitation: { url: {} } } }
  const reply = await peer.request('initialize', params, { headers: own })
  if (reply.kind !== 'result') return { reply }
  const session = headerValue(reply.http?.headers ?? [], 'mcp-session-id')
  const headers: Headers = {
    ...own,
    'MCP-Protocol-Version': textAt(reply.result, 'protocolVersion') ?? peer.revision,
    ...(session === undefined ? {} : { 'MCP-Session-Id': session }),
  }
  await peer.notify('notifications/initialized', undefined, { headers })
  return { reply, headers }
}

const isRefused = ({ status }: HttpReply): boolean => [401, 403, 404].includes(status)

const faultOf = ({ status }: HttpReply): Kind => (status < 300 ? 'accepted' : 'wrong-status')

type Sender = { user: string } | { status: number; reason: string }

function guarded() {
  return {
    identify: (authorization: string | undefined): Sender =>
      (USERS as readonly (string | undefined)[]).includes(authorization)
        ? { user: authorization as string }
        : { status: 401, reason: 'unknown' },
  }
}

/** Once a user was seen, a request without credentials is taken for his. */
function lenient() {
  let known: { user: string } | undefined
  return {
    identify(authorization: string | undefined) {
      const sender = guarded().identify(authorization)
      if ('user' in sender) known ??= sender
      return 'user' in sender ? sender : (known ?? sender)
    },
  }
}
