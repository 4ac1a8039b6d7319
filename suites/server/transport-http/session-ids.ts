import {
  type HttpReply,
  headerValue,
  judge,
  serverScenario,
  tampers,
  textAt,
  unmet,
} from '../../../src/suite/server.ts'

const SESSIONS = 10

export default serverScenario({
  title: 'Session ids are visible ASCII, unique and hard to guess, and a request without one is refused with 400',
  needs: { via: 'http' },
  session: 'fresh',
  claims: {
    assigned: 'transport-http.session.server-may-assign',
    ascii: 'transport-http.session.id-visible-ascii',
    unique: 'transport-http.session.id-globally-unique',
    unguessable: 'transport-http.session.id-unpredictable',
    missing: 'transport-http.session.missing-id-400',
  },
  async *run(peer) {
    const opening = peer.opening
    if (opening?.http === undefined) return
    // The id comes with the answer to initialize, or not at all.
    const given = sessionIdIn(opening.http)
    const later = await peer.http({ method: 'POST', body: peer.draft('ping') })
    const known = sessionIdIn(later) === undefined || sessionIdIn(later) === given
    yield judge(
      'assigned',
      known ? (given === undefined ? 'n/a' : 'holds') : 'breaks',
      'no id but the first one',
      later,
      'unasked',
    )
    if (given === undefined) {
      const got = { text: 'the server hands out no session id', frames: opening.http.frames }
      for (const claim of ['ascii', 'unique', 'unguessable', 'missing'] as const)
        yield judge(claim, 'n/a', 'a session id', got)
      return
    }
    const ids: string[] = []
    for (let count = 0; count < SESSIONS; count += 1) {
      const other = await peer.another({})
      if (other.opening?.http === undefined) continue
      const id = sessionIdIn(other.opening.http)
      if (id === undefined) continue
      ids.push(id)
      yield judge(
        'ascii',
        /^[\x21-\x7e]+$/.test(id),
        'an id of the characters 0x21 to 0x7E',
        other.opening.http,
        'wrong-value',
      )
    }
    if (ids.length > 1) {
      const got = {
        text: `${new Set(ids).size} different ids in ${ids.length} sessions, such as ${ids.slice(0, 3).join(' ')}`,
        frames: opening.http.frames,
      }
      yield judge('unique', new Set(ids).size === ids.length, 'a new id for each session', got, 'duplicate')
      const unguessable = ids.every(id => id.length >= 16) && !counts(ids)
      yield judge('unguessable', unguessable, 'at least 16 characters without a counter or a clock in them', got)
    } else yield unmet('the server opened no further sessions')

    const control = await peer.http({ method: 'POST', body: peer.draft('ping') })
    const missing = await peer.http({ method: 'POST', body: peer.draft('ping'), headers: { 'MCP-Session-Id': null } })
    if (control.status !== 200) return
    if (missing.status < 300) yield judge('missing', 'n/a', 'a server that needs the id', missing)
    else yield judge('missing', missing.status === 400, 'HTTP 400 for a request without session id', missing)
  },
  defects: [
    {
      named: 'the id comes with the first answer after initialize',
      breaks: 'assigned',
      kind: 'unasked',
      replace: { sessionIds: () => undefined, missingSession: () => undefined },
      ...lateId(),
    },
    {
      named: 'a new id with each answer',
      breaks: 'assigned',
      kind: 'unasked',
      ...lateId(),
    },
    {
      named: 'a space in the id',
      breaks: 'ascii',
      kind: 'wrong-value',
      replace: () => ({ sessionIds: numbered(n => `session ${n * 7919} of ${'x'.repeat(20)} ${n % 7}`) }),
    },
    {
      named: 'the same id for everybody',
      breaks: 'unique',
      kind: 'duplicate',
      also: ['unguessable'],
      replace: { sessionIds: () => 'the-one-and-only-session-id' },
    },
    {
      named: 'a counter',
      breaks: 'unguessable',
      kind: 'wrong-value',
      replace: () => ({ sessionIds: numbered(n => `session-number-0000000${n}`) }),
    },
    {
      named: 'four random characters',
      breaks: 'unguessable',
      kind: 'wrong-value',
      replace: () => ({ sessionIds: numbered(n => ((n * 104_729) % 65_536).toString(16).padStart(4, '0')) }),
    },
    {
      named: 'the time of day',
      breaks: 'unguessable',
      kind: 'wrong-value',
      replace: () => ({ sessionIds: numbered(n => `${1_790_000_000_000 + n * 3}`.padStart(20, '0')) }),
    },
    {
      named: 'a missing id is answered with 404',
      breaks: 'missing',
      kind: 'wrong-status',
      replace: { missingSession: () => ({ status: 404, reason: 'no session' }) },
    },
  ],
  variants: [
    { named: 'no sessions', replace: { sessionIds: () => undefined, missingSession: () => undefined } },
    { named: 'the id is not needed', replace: { missingSession: () => undefined } },
    {
      named: 'ids with a long common head, as signed tokens have',
      replace: () => ({
        sessionIds: numbered(
          n => `eyJhbGciOiJIUzI1NiJ9.${'abc'.repeat(10)}${((n * 2_654_435_761) % 4_294_967_296).toString(36)}kd8`,
        ),
      }),
    },
  ],
})

const sessionIdIn = (answer: HttpReply): string | undefined => headerValue(answer.headers, 'mcp-session-id')?.trim()

/** An id on the answer to a ping, whatever the answer to initialize had. */
function lateId() {
  return {
    tamper: tampers.http((answer, request) =>
      textAt(request.message, 'method') === 'ping'
        ? { headers: { ...answer.headers, 'MCP-Session-Id': 'a-session-id-that-comes-late' } }
        : undefined,
    ),
  }
}

/** Ids that differ by a small step in the one number they hold: a counter or a clock. */
function counts(ids: readonly string[]): boolean {
  const numbers = ids.map(id => {
    const digits = /^\D*(\d+)\D*$/.exec(id)?.[1]
    return digits === undefined ? undefined : BigInt(digits)
  })
  if (numbers.length < 3) return false
  return numbers.every((number, index) => {
    const before = numbers[index - 1]
    if (number === undefined) return false
    return index === 0 || (before !== undefined && number >= before && number - before < 1_000_000n)
  })
}

function numbered(make: (n: number) => string): () => string {
  let n = 0
  return () => {
    n += 1
    return make(n)
  }
}
