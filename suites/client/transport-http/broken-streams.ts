import {
  at,
  clientScenario,
  crashed,
  endKind,
  fateOfClient,
  fateOfStep,
  headerValue,
  idKey,
  judge,
  sent,
  textAt,
  undone,
  unmet,
} from '../../../src/suite/client.ts'
import { BREAKING } from './_breaking-streams.ts'

/** The connection under the stream of a call is cut in the middle of an event: without event ids first, then with them. */
export default clientScenario({
  title: 'The client survives a broken connection, and resumes a stream that has event ids',
  needs: { via: 'http' },
  script: BREAKING,
  claims: {
    outlives: 'transport-http.sse.disconnect-any-time',
    gets: 'transport-http.resume.client-uses-get',
    names: 'transport-http.resume.client-sends-last-event-id',
    always: 'transport-http.resume.always-by-get',
  },
  *run(seen) {
    const calls = sent(seen, 'tools/call')
    const breaking = calls.find(({ params }) => textAt(params, 'name') === 'breaks')
    if (breaking === undefined) {
      yield unmet(undone(seen, 'call a tool'))
      return
    }
    const later = sent(seen).find(({ id, frame }) => id !== undefined && frame.seq > breaking.frame.seq)
    const outlives = later !== undefined ? 'holds' : crashed(seen) ? 'breaks' : 'bends'
    const shown = later?.frame ?? fateOfClient(seen)
    yield judge('outlives', outlives, 'further requests after the break', shown, endKind(seen))
    const { broken } = seen.notes
    const resuming = calls.find(({ params }) => textAt(params, 'name') === 'resumes')
    if (broken === undefined || resuming === undefined) {
      yield unmet(undone(seen, 'make the next call'))
      return
    }
    yield judge('gets', broken.back !== undefined, 'GET after the stream broke', fateOfStep(seen, 1), 'missing')
    const after = seen.requests.filter(({ at: when }) => when >= broken.at)
    const named = after.filter(({ headers }) => headerValue(headers, 'last-event-id') !== undefined)
    for (const { method, headers, frames } of named) {
      const id = headerValue(headers, 'last-event-id')
      const got = { text: `Last-Event-ID ${id}`, frames }
      // It may not have read the last event, but for that it must not name one that was never whole.
      const fits = id === broken.id || (!broken.isRead && id === broken.before)
      if (method === 'GET') yield judge('names', fits, `Last-Event-ID ${broken.id}`, got)
    }
    const wrong = after.filter(
      ({ method, json }) =>
        method === 'POST' &&
        [breaking, resuming].some(({ id }) => idKey(at(json, 'id')) === idKey(id)) &&
        at(json, 'method') !== undefined,
    )
    const byPost = [...wrong, ...named.filter(({ method }) => method !== 'GET')]
    yield judge(
      'always',
      byPost.length === 0,
      'no POST with Last-Event-ID and no request that is sent again',
      byPost.flatMap(({ frames }) => frames),
      wrong.length > 0 ? 'duplicate' : 'wrong-value',
    )
    if (!named.some(({ method }) => method === 'GET')) yield unmet('the client did not take the stream up', 'names')
  },
  defects: [
    {
      named: 'ends with its connection',
      breaks: 'outlives',
      kind: 'died',
      replace: {
        resumes: () => {
          throw new Error('socket hang up')
        },
        lastEventId: () => {
          throw new Error('socket hang up')
        },
      },
    },
    { named: 'gives up', breaks: 'gets', kind: 'missing', replace: { resumes: () => 'give up' } },
    { named: 'names the first event', breaks: 'names', kind: 'wrong-value', replace: { lastEventId: ids => ids[0] } },
    {
      named: 'sends the request again',
      breaks: 'always',
      kind: 'duplicate',
      also: ['gets'],
      replace: { resumes: () => 'post' },
    },
  ],
})
