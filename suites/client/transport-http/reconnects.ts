import {
  at,
  type ClientRun,
  clientScenario,
  fateOfStep,
  headerValue,
  idKey,
  judge,
  sent,
  stepKind,
  took,
  undone,
  unmet,
} from '../../../src/suite/client.ts'
import { RECONNECTING } from './_reconnecting.ts'

/** Timers of other runtimes may be a little early. */
const EARLY = 0.93

/** Our server closes the stream of a call twice, each time with another `retry`, and cuts it once (basic/transports#resumability-and-redelivery). */
export default clientScenario({
  title: 'The client resumes a closed stream by GET with Last-Event-ID, after the time of retry',
  needs: { via: 'http', since: '2025-11-25' },
  exclusive: true,
  script: RECONNECTING,
  claims: {
    polls: 'transport-http.sse.client-polls',
    waits: 'transport-http.sse.client-respects-retry',
    gets: 'transport-http.resume.client-uses-get',
    names: 'transport-http.resume.client-sends-last-event-id',
    always: 'transport-http.resume.always-by-get',
  },
  *run(seen) {
    const [call] = sent(seen, 'tools/call')
    const [first, second, cut] = seen.notes.breaks
    if (call === undefined || first === undefined) {
      yield unmet(undone(seen, 'call test_reconnection'))
      return
    }
    const finished = took(seen, 1)
    const polled = first.back !== undefined && second?.back !== undefined
    yield judge('polls', polled, 'GET with Last-Event-ID after each close', fateOfStep(seen, 1), 'missing')
    if (polled && finished !== undefined && cut?.back !== undefined)
      yield judge(
        'polls',
        finished,
        'the response is taken from the stream that was taken up',
        fateOfStep(seen, 1),
        stepKind(seen, 1),
      )

    const after = seen.requests.filter(({ at: when }) => when >= first.at)
    const again = after.filter(
      ({ method, json }) =>
        method === 'POST' && at(json, 'method') === 'tools/call' && idKey(at(json, 'id')) === idKey(call.id),
    )
    const byPost = after.filter(
      ({ method, headers }) => method !== 'GET' && headerValue(headers, 'last-event-id') !== undefined,
    )
    yield judge(
      'always',
      again.length + byPost.length === 0,
      'no POST with Last-Event-ID and no request that is sent again',
      [...again, ...byPost].flatMap(({ frames }) => frames),
      again.length > 0 ? 'duplicate' : 'wrong-value',
    )
    for (const { id, retryMs, isRead, at: when, back } of seen.notes.breaks) {
      if (back === undefined || !isRead) continue
      const gap = Math.round(back.at - when)
      const got = { text: `GET after ${gap} ms`, frames: framesAt(after, back.at) }
      yield judge('waits', gap >= retryMs * EARLY, `no GET within the ${retryMs} ms of the retry field`, got, 'ignored')
      const named = { text: `Last-Event-ID ${back.lastEventId}`, frames: framesAt(after, back.at) }
      yield judge('names', back.lastEventId === id, `Last-Event-ID ${id}, the last one that was sent`, named)
    }
    const foreign = after.filter(({ method, headers }) => {
      const named = headerValue(headers, 'last-event-id')
      return method === 'GET' && named !== undefined && !seen.notes.breaks.some(({ id }) => id === named)
    })
    if (foreign.length > 0)
      yield judge(
        'names',
        false,
        'Last-Event-ID as it was sent',
        foreign.flatMap(({ frames }) => frames),
      )
    if (cut !== undefined)
      yield judge('gets', cut.back !== undefined, 'GET after the stream broke', fateOfStep(seen, 1), 'missing')
    yield unmet('the client did not take the stream up', 'waits', 'gets', 'names')
  },
  defects: [
    { named: 'gives up', breaks: 'polls', kind: 'missing', replace: { resumes: () => 'give up' } },
    {
      named: 'comes back once',
      breaks: 'polls',
      kind: 'missing',
      replace: { resumes: ({ rounds }) => (rounds === 0 ? 'get' : 'give up') },
    },
    { named: 'comes back at once', breaks: 'waits', kind: 'ignored', replace: { resumesAfter: () => 0 } },
    { named: 'always waits for a second', breaks: 'waits', kind: 'ignored', replace: { resumesAfter: () => 1_000 } },
    {
      named: 'gives up when the stream breaks',
      breaks: 'gets',
      kind: 'missing',
      replace: { resumes: ({ rounds }) => (rounds < 2 ? 'get' : 'give up') },
    },
    {
      named: 'names the first event again',
      breaks: 'names',
      kind: 'wrong-value',
      replace: { lastEventId: ids => ids[0] },
    },
    {
      named: 'sends the request again',
      breaks: 'always',
      kind: 'duplicate',
      also: ['polls'],
      replace: { resumes: () => 'post' },
    },
  ],
})

/** The frames of the GET that came then. */
const framesAt = (requests: ClientRun['requests'], when: number) =>
  requests.filter(({ at: came }) => came === when).flatMap(({ frames }) => frames)
