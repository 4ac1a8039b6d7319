import { judge, serverScenario, tampers, unmet } from '../../../src/suite.ts'

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
    yield judge('malformed', malformed.status === 400, 'HTTP 400', malformed)
    for (const version of ['1999-01-01', '2999-12-31']) {
      const answer = await ask(version)
      yield judge('unsupported', answer.status === 400, 'HTTP 400', answer)
    }
    // The clause names no method; for GET it is at most a warning.
    const get = await ask('not-a-version', 'GET')
    if (get.status !== 405)
      yield judge('malformed', get.status === 400 ? 'holds' : 'bends', 'HTTP 400 for GET, too', get)
    const absent = await ask(null)
    const refused = absent.status >= 400
    yield judge('absent', !refused, 'an answer as for 2025-03-26', absent)
  },
  defects: [
    {
      named: 'nobody looks at the header',
      breaks: 'malformed',
      also: ['unsupported'],
      replace: { versionHeader: () => undefined },
    },
    {
      named: 'refuses with 406',
      breaks: 'malformed',
      also: ['unsupported'],
      replace: {
        versionHeader: value =>
          value === undefined || value === '2025-11-25' ? undefined : { status: 406, reason: 'no' },
      },
    },
    {
      named: 'only the form is checked',
      breaks: 'unsupported',
      replace: {
        versionHeader: value =>
          value === undefined || /^\d{4}-\d\d-\d\d$/.test(value) ? undefined : { status: 400, reason: 'no' },
      },
    },
    {
      named: 'GET is not checked',
      breaks: 'malformed',
      replace: {
        versionHeader: (value, _session, method) =>
          method === 'GET' || value === undefined || value === '2025-11-25' ? undefined : { status: 400, reason: 'no' },
      },
    },
    {
      named: 'the header is demanded',
      breaks: 'absent',
      replace: { versionHeader: value => (value === '2025-11-25' ? undefined : { status: 400, reason: 'no' }) },
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
