import { type Fault, type HttpReply, judge, serverScenario, tampers, unmet } from '../../../src/suite/server.ts'

export default serverScenario({
  title: 'A malformed or unsupported MCP-Protocol-Version is refused with 400',
  needs: { via: 'http' },
  claims: {
    malformed: 'transport-http.protocol-version.invalid-400',
    unsupported: 'transport-http.protocol-version.unsupported-400',
    absent: 'transport-http.protocol-version.default-2025-03-26',
  },
  async *run(peer) {
    const control = await peer.http({ method: 'POST', body: peer.draft('ping') })
    if (control.status !== 200) {
      yield unmet(`the control, a ping with the right version, was answered with HTTP ${control.status}`)
      return
    }
    const ask = (value: string | null, method = 'POST') =>
      peer.http({
        method,
        ...(method === 'POST' ? { body: peer.draft('ping') } : {}),
        headers: { 'MCP-Protocol-Version': value },
      })
    const malformed = await ask('not-a-version')
    yield judge('malformed', malformed.status === 400, 'HTTP 400', malformed, faultOf(malformed, 'POST'))
    for (const version of ['1999-01-01', '2999-12-31']) {
      const answer = await ask(version)
      yield judge('unsupported', answer.status === 400, 'HTTP 400', answer, faultOf(answer, version))
    }
    // The clause names no method; for GET it is at most a warning, and only where GET is served at all.
    const get = await ask('not-a-version', 'GET')
    if (get.status === 200 || (await peer.http({ method: 'GET' })).status === 200)
      yield judge(
        'malformed',
        get.status === 400 ? 'holds' : 'bends',
        'HTTP 400 for GET, too',
        get,
        faultOf(get, 'GET'),
      )
    const absent = await ask(null)
    if (absent.status < 400) yield judge('absent', true, 'an answer as for 2025-03-26', absent)
    else {
      // With a session the version is known, and a server may be too new for 2025-03-26: both may refuse.
      const assumed = await ask('2025-03-26')
      const must = peer.sessionId === undefined && assumed.status < 400
      yield judge('absent', must ? 'breaks' : 'bends', 'an answer as for 2025-03-26', absent)
    }
  },
  defects: [
    {
      named: 'nobody looks at the header',
      breaks: 'malformed',
      kind: 'accepted',
      also: ['unsupported'],
      replace: { versionHeader: () => undefined },
    },
    {
      named: 'refuses with 406',
      breaks: 'malformed',
      kind: 'wrong-status',
      also: ['unsupported'],
      replace: {
        versionHeader: value =>
          value === undefined || value === '2025-11-25' ? undefined : { status: 406, reason: 'no' },
      },
    },
    {
      named: 'only the form is checked',
      breaks: 'unsupported',
      kind: 'accepted',
      replace: {
        versionHeader: value =>
          value === undefined || /^\d{4}-\d\d-\d\d$/.test(value) ? undefined : { status: 400, reason: 'no' },
      },
    },
    {
      named: 'GET is not checked',
      breaks: 'malformed',
      kind: 'accepted',
      verdict: 'warn',
      replace: {
        versionHeader: (value, _session, method) =>
          method === 'GET' || value === undefined || value === '2025-11-25' ? undefined : { status: 400, reason: 'no' },
      },
    },
    {
      named: 'the header is demanded',
      breaks: 'absent',
      kind: 'wrong-status',
      verdict: 'info',
      replace: { versionHeader: value => (value === '2025-11-25' ? undefined : { status: 400, reason: 'no' }) },
    },
    {
      named: 'the header is demanded, and nothing else shows the version',
      breaks: 'absent',
      kind: 'wrong-status',
      replace: {
        sessionIds: () => undefined,
        missingSession: () => undefined,
        versionHeader: value =>
          value === '2025-11-25' || value === '2025-03-26' ? undefined : { status: 400, reason: 'no' },
      },
    },
  ],
  variants: [
    {
      named: 'no GET stream',
      tamper: tampers.http((answer, request) =>
        request.method === 'GET' ? { status: 405, headers: {}, body: answer.body } : undefined,
      ),
    },
  ],
})

const faultOf = ({ status }: HttpReply, subject: string): Fault => ({
  kind: status < 300 ? 'accepted' : 'wrong-status',
  subject,
})
