import {
  failure,
  judge,
  memberFault,
  REVISIONS,
  type Reply,
  STATEFUL,
  serverScenario,
  type Tamper,
  textAt,
  unmet,
} from '../../../src/suite/server.ts'

/** Versions that nobody supports: before the first revision and far behind the last. */
const BOGUS = ['1999-01-01', '2999-12-31']

export default serverScenario({
  title: 'A supported version is answered with itself, an unknown one with a version that the server supports',
  session: 'no-handshake',
  claims: {
    echoes: 'lifecycle.version.server-echoes-supported',
    other: 'lifecycle.version.server-offers-other',
    latest: 'lifecycle.version.server-offers-latest',
    shape: 'lifecycle.version.unsupported-error-shape',
    survives: 'lifecycle.errors.version-mismatch',
  },
  async *run(peer) {
    let opened = 0
    const offer = async (protocolVersion: string): Promise<Reply> => {
      opened += 1
      // Over HTTP each initialize opens a session of its own; a stdio process takes one handshake only.
      const own = peer.via === 'http' || opened === 1 ? peer : await peer.another('no-handshake')
      return own.request(
        'initialize',
        { ...peer.hello.params, protocolVersion },
        { withinMs: peer.timeouts.handshakeMs },
      )
    }
    const replies = new Map<string, Reply>()
    for (const revision of STATEFUL) replies.set(revision, await offer(revision))
    const answers = [...replies].map(([asked, reply]) => ({ asked, reply, answered: versionIn(reply) }))
    const supported = new Set(answers.flatMap(({ answered }) => (answered === undefined ? [] : [answered])))
    if (supported.size === 0) {
      yield unmet('no known version was answered with a result')
      return
    }
    for (const { asked, reply, answered } of answers) {
      if (!supported.has(asked)) continue
      yield judge('echoes', answered === asked, `the version ${asked}, which the server supports`, reply, {
        subject: asked,
      })
    }
    const newest = [...supported].sort().at(-1) as string
    for (const asked of BOGUS) {
      const reply = await offer(asked)
      if (reply.kind === 'error') {
        // The page shows such an error as an example beside the MUST: tolerated, and its shape looked at.
        yield judge('other', 'bends', `a result with another version than ${asked}`, reply, { subject: asked })
        const data = reply.data
        const listed = Array.isArray((data as { supported?: unknown } | undefined)?.supported)
        yield judge(
          'shape',
          reply.code === -32602 && listed && textAt(data, 'requested') !== undefined,
          'error -32602 with data.supported and data.requested',
          reply,
          { kind: reply.code === -32602 ? 'missing' : 'wrong-code', subject: asked },
        )
        continue
      }
      const answered = versionIn(reply)
      const known = REVISIONS.some(one => one === answered)
      yield judge(
        'other',
        answered === undefined || answered === asked ? 'breaks' : known ? 'holds' : 'bends',
        'a known version that the server supports',
        reply,
        {
          kind:
            answered === undefined
              ? memberFault(reply, 'protocolVersion')
              : answered === asked
                ? 'accepted'
                : 'wrong-value',
          subject: asked,
        },
      )
      if (answered !== undefined && answered !== asked) {
        yield judge('latest', answered >= newest, `${newest}, the newest version that the server supports`, reply, {
          subject: asked,
        })
        yield judge('shape', 'n/a', 'only judged where the server answers with an error', reply)
      }
    }
    const again = await offer(newest)
    yield judge('survives', versionIn(again) !== undefined, 'a correct initialize still succeeds', again)
  },
  defects: [
    {
      named: 'mixes up two versions',
      breaks: 'echoes',
      kind: 'wrong-value',
      replace: { negotiate: asked => SWAPPED.get(String(asked)) ?? '2025-11-25' },
    },
    {
      named: 'answers whatever was asked for',
      breaks: 'other',
      kind: 'accepted',
      also: ['echoes'],
      replace: { negotiate: asked => String(asked) },
    },
    {
      named: 'answers a template',
      breaks: 'other',
      kind: 'wrong-value',
      verdict: 'warn',
      replace: { negotiate: () => '%params/protocolVersion%' },
    },
    {
      named: 'falls back to an old version',
      breaks: 'latest',
      kind: 'wrong-value',
      replace: { negotiate: asked => (STATEFUL.some(one => one === asked) ? String(asked) : '2024-11-05') },
    },
    {
      named: 'refuses with a bare error',
      breaks: 'shape',
      kind: 'wrong-code',
      also: ['other', 'latest'],
      tamper: refusing(-32000),
    },
    {
      named: 'answers one initialize only',
      breaks: 'survives',
      kind: 'refused',
      also: ['other', 'latest', 'shape', 'echoes'],
      via: 'http',
      replace: () => ({ negotiate: onceThen() }),
    },
  ],
  variants: [
    { named: 'supports one version only', replace: { negotiate: () => '2025-06-18', versions: ['2025-06-18'] } },
    {
      named: 'refuses an unknown version with the error of the example',
      shows: ['shape'],
      bends: ['other'],
      tamper: refusing(-32602, { supported: [...STATEFUL] }),
    },
    { named: 'supports the two newest', replace: { versions: ['2025-06-18', '2025-11-25'] } },
  ],
})

const versionIn = (reply: Reply): string | undefined =>
  reply.kind === 'result' ? textAt(reply.result, 'protocolVersion') : undefined

/** Works for the known versions once and throws ever after, as a server does whose state a bad version has spoiled. */
function onceThen(): (asked: unknown) => string {
  let spoiled = false
  return asked => {
    if (BOGUS.includes(String(asked))) spoiled = true
    if (spoiled) throw new Error('state is spoiled')
    return String(asked)
  }
}

const SWAPPED = new Map([
  ['2024-11-05', '2024-11-05'],
  ['2025-03-26', '2025-06-18'],
  ['2025-06-18', '2025-03-26'],
])

/** Answers the bogus versions with an error. */
function refusing(code: number, data?: { supported: string[] }): Tamper {
  return out => {
    const requested = out.layer === 'message' ? (textAt(out.cause, 'params', 'protocolVersion') ?? '') : ''
    if (out.layer !== 'message' || !BOGUS.includes(requested)) return [out]
    const more = data === undefined ? undefined : { ...data, requested }
    return [{ ...out, message: failure(out.cause?.id ?? 0, code, 'Unsupported protocol version', more) }]
  }
}
