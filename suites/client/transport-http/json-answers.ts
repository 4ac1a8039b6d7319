import {
  clientScenario,
  fateOfStep,
  judge,
  judgeTaken,
  script,
  sent,
  stepKind,
  took,
  undone,
  unmet,
} from '../../../src/suite/client.ts'

/** The least that a server may do: JSON alone, no sessions, no stream of its own. */
const MODEST = script({
  drive: { name: 'tools_call' },
  setup: () => ({
    http: {
      answerBy: () => 'json',
      contentType: 'application/json; charset=utf-8',
      sessionId: () => undefined,
      get: 405,
    },
  }),
})

export default clientScenario({
  title: 'The client reads answers that come as JSON',
  needs: { via: 'http' },
  script: MODEST,
  claims: { reads: 'transport-http.post.client-supports-json' },
  *run(seen) {
    if (sent(seen, 'initialize').length === 0) {
      yield unmet(undone(seen, 'open a session'))
      return
    }
    const listing = sent(seen, 'tools/list')[0]
    const ready = sent(seen, 'notifications/initialized')[0] ?? listing
    const opened = ready !== undefined || took(seen, 0)
    yield judge('reads', opened === true, 'the answer to initialize is read', fateOfStep(seen, 0, ready), {
      kind: stepKind(seen, 0),
      subject: 'initialize',
    })
    if (listing === undefined) return
    const next = sent(seen, 'tools/call')[0]
    const read = (step: number, subject: string) => ({ step, subject, expected: `the answer to ${subject} is read` })
    yield* judgeTaken('reads', seen, { ...read(0, 'tools/list'), next })
    if (next !== undefined) yield* judgeTaken('reads', seen, read(1, 'tools/call'))
  },
  defects: [
    {
      named: 'reads event streams only',
      breaks: 'reads',
      kind: 'died',
      replace: { reads: type => type === 'text/event-stream' },
    },
    {
      named: 'cannot do without a session id',
      breaks: 'reads',
      kind: 'died',
      replace: {
        sessionId: given => {
          if (given === undefined) throw new Error('there is no session id')
          return given
        },
      },
    },
  ],
})
