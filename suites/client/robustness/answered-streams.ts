import { clientScenario, headerValue, judge, script, undone, unmet } from '../../../src/suite/client.ts'
import { ADDED } from '../_add-numbers.ts'

/** Long enough for a client that resumes a stream at once, or after the second that is usual. */
const WATCH_MS = 1_500

interface Notes {
  streams: number
}

/** Each stream has event ids, brings its response and ends. The client stays for a while. */
const ANSWERING = script({
  drive: {
    name: 'answered-streams',
    steps: [
      { request: 'tools/call', params: { name: 'add_numbers', arguments: { a: 5, b: 3 } } },
      { request: 'tools/call', params: { name: 'refuses', arguments: {} } },
      { pause: WATCH_MS },
    ],
  },
  setup: () => ({
    calls: { add_numbers: () => ADDED },
    http: { answerBy: () => 'sse', ids: true, primes: true, retryMs: 100, get: 405 },
  }),
  notes: (): Notes => ({ streams: 0 }),
  play(server, notes) {
    server.on('tools/call', ({ params }) => {
      notes.streams += 1
      return params.name === 'refuses' ? { error: { code: -32602, message: 'Unknown tool: refuses' } } : ADDED
    })
  },
})

export default clientScenario({
  title: 'The client does not resume a stream that has brought its response',
  needs: { via: 'http', since: '2025-11-25' },
  script: ANSWERING,
  claims: { leaves: 'robustness.client.no-reconnect-after-response' },
  *run(seen) {
    const [first] = seen.requests
    if (seen.notes.streams === 0 || first === undefined) {
      yield unmet(undone(seen, 'call a tool'))
      return
    }
    const back = seen.requests.find(({ method, headers }) => method === 'GET' && headerValue(headers, 'last-event-id'))
    yield judge(
      'leaves',
      back === undefined,
      'no GET with an id of a stream that is done',
      (back ?? first).frames,
      'unasked',
    )
  },
  defects: [{ named: 'comes back in any case', breaks: 'leaves', kind: 'unasked', replace: { resumesAnswered: true } }],
})
