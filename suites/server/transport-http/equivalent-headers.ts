import { judge, serverScenario, unmet } from '../../../src/suite/server.ts'

/** Each means what the usual field means (RFC 9110, sections 8.3 and 12.5.1). */
const EQUIVALENTS: Record<string, string | string[]>[] = [
  { 'Content-Type': 'application/json; charset=utf-8' },
  { 'Content-Type': 'application/json;charset=UTF-8' },
  { 'Content-Type': 'Application/JSON' },
  { Accept: 'text/event-stream, application/json' },
  { Accept: 'application/json;q=0.9, text/event-stream;q=0.8' },
  { Accept: 'application/json, text/event-stream, */*;q=0.1' },
  { Accept: ['application/json', 'text/event-stream'] },
]

export default serverScenario({
  title: 'Header fields that mean the same make no difference',
  needs: { via: 'http' },
  claims: { same: 'robustness.http.equivalent-headers' },
  async *run(peer) {
    const control = await peer.http({ method: 'POST', body: peer.draft('ping') })
    if (control.status !== 200) {
      yield unmet(`the control, a ping with the usual header fields, was answered with HTTP ${control.status}`)
      return
    }
    for (const headers of EQUIVALENTS) {
      const answer = await peer.http({ method: 'POST', body: peer.draft('ping'), headers })
      const changed = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}`)
      yield judge('same', answer.status === 200, `HTTP 200 with ${changed.join()}`, answer, { subject: changed.join() })
    }
  },
  defects: [
    {
      named: 'no charset is expected',
      breaks: 'same',
      kind: 'wrong-status',
      replace: {
        contentType: value => (value === 'application/json' ? undefined : { status: 415, reason: 'no JSON' }),
      },
    },
    {
      named: 'Accept is compared as a whole',
      breaks: 'same',
      kind: 'wrong-status',
      replace: {
        accept: (method, value) =>
          method === 'GET' || value === 'application/json, text/event-stream'
            ? undefined
            : { status: 406, reason: 'not acceptable' },
      },
    },
  ],
  variants: [
    { named: 'nobody looks at Accept', replace: { accept: () => undefined } },
    { named: 'answers in JSON', replace: { answerBy: () => 'json' } },
  ],
})
