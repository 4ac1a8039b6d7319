import { at, judge, type Probe, serverScenario, tampers, unmet } from '../../../src/suite/server.ts'

export default serverScenario({
  title: 'A POST body that holds a list of messages is not processed',
  needs: { via: 'http', since: '2025-06-18' },
  session: 'fresh',
  claims: { single: 'transport-http.post.single-message' },
  async *run(peer) {
    const control = await peer.http({ method: 'POST', body: peer.draft('ping') })
    if (control.status !== 200) {
      yield unmet(`the control, a single ping, was answered with HTTP ${control.status}`)
      return
    }
    // The clause binds the client; no sentence obliges the server to refuse, so this is a warning at most.
    const probe = await peer.raw([peer.draft('ping'), peer.draft('ping')])
    const kind = (probe.http?.status ?? 0) >= 300 ? 'wrong-status' : 'accepted'
    yield judge('single', isRefused(probe), 'a refusal (4xx, or an error instead of the results)', probe, kind)
  },
  defects: [
    {
      named: 'answers each message of the list',
      breaks: 'single',
      kind: 'accepted',
      replace: { batch: () => 'answer' },
    },
    {
      named: 'a list ends in 500',
      breaks: 'single',
      kind: 'wrong-status',
      tamper: tampers.http((_answer, request) =>
        Array.isArray(request.message) ? { status: 500, headers: {}, body: '' } : undefined,
      ),
    },
  ],
  variants: [
    {
      named: 'an error with status 200',
      tamper: tampers.http((_answer, request) => (Array.isArray(request.message) ? { status: 200 } : undefined)),
    },
  ],
})

function isRefused({ http }: Probe): boolean {
  if (http === undefined) return false
  if (http.status >= 400 && http.status < 500) return true
  return http.status === 200 && at(http.json, 'error') !== undefined && at(http.json, 'result') === undefined
}
