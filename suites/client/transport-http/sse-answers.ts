import { clientScenario, fateOfClient, judge, script, sent, tampers, undone, unmet } from '../../../src/suite.ts'

/** Every answer comes as an event stream, written in all ways that the format allows. */
const STREAMING = script({
  drive: { name: 'tools_call' },
  setup: () => ({
    http: {
      answerBy: () => 'sse',
      layout: { newline: '\r\n', comments: true, name: 'message', multiline: true, chunk: 9 },
    },
  }),
})

export default clientScenario({
  title: 'The client reads answers that come as event streams',
  needs: { via: 'http' },
  script: STREAMING,
  claims: { reads: 'transport-http.post.client-supports-sse' },
  *run(seen) {
    if (sent(seen, 'initialize').length === 0) {
      yield unmet(undone(seen, 'open a session'))
      return
    }
    const next = sent(seen, 'tools/list')[0] ?? sent(seen, 'notifications/initialized')[0]
    yield judge('reads', next !== undefined, 'the handshake and the next request', next?.frame ?? fateOfClient(seen))
  },
  defects: [
    {
      named: 'only accepts JSON',
      breaks: 'reads',
      tamper: tampers.message(message => (message.method === 'initialize' ? message : [])),
    },
  ],
})
