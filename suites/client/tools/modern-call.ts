import { clientScenario, judge, judgeTaken, script, sent, tampers, undone, unmet } from '../../../src/suite/client.ts'
import { inVersion, versionIn } from '../_versions.ts'

const FORMS = ['a JSON body', 'an event stream']

/** The same tool twice: answered in one body, and in an event stream. */
const BOTH_WAYS = script({
  drive: {
    name: 'calls-without-session',
    steps: [
      { request: 'tools/list' },
      { request: 'tools/call', params: { name: 'add_numbers', arguments: { a: 5, b: 3 } } },
      { request: 'tools/call', params: { name: 'add_numbers', arguments: { a: 1, b: 2 } } },
    ],
  },
  setup() {
    let calls = 0
    return {
      http: {
        answerBy({ method }) {
          if (method === 'tools/call') calls += 1
          return calls === 2 ? 'sse' : 'json'
        },
      },
    }
  },
})

export default clientScenario({
  title:
    'Without a session the client calls a tool in a version that the server names, and takes its result in either form',
  needs: { since: '2026-07-28' },
  script: BOTH_WAYS,
  claims: {
    chosen: 'discover.client-chooses-supported-version',
    forms: 'transport-http.post.client-supports-json',
  },
  *run(seen) {
    const calls = sent(seen, 'tools/call')
    if (calls.length === 0) {
      yield unmet(undone(seen, 'call a tool'))
      return
    }
    for (const { params, frame } of calls) {
      const kind = versionIn(params) === undefined ? 'missing' : 'wrong-value'
      yield judge(
        'chosen',
        versionIn(params) === seen.revision,
        `version ${seen.revision}, which is named`,
        frame,
        kind,
      )
    }
    for (const [index, subject] of FORMS.entries())
      yield* judgeTaken('forms', seen, {
        step: index + 1,
        next: calls[index + 1],
        expected: `the result is taken from ${subject}`,
        subject,
      })
  },
  defects: [
    {
      named: 'calls in a version of its own',
      breaks: 'chosen',
      kind: 'wrong-value',
      also: ['forms'],
      tamper: tampers.message(message =>
        message.method === 'tools/call' ? inVersion('2099-12-31', message) : message,
      ),
    },
    {
      named: 'reads no event streams',
      breaks: 'forms',
      kind: 'refused',
      replace: { reads: type => type !== 'text/event-stream' },
    },
  ],
})
