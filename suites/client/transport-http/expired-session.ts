import {
  at,
  type ClientRun,
  clientScenario,
  type Frame,
  fateOfStep,
  headerValue,
  judge,
  script,
  undone,
  unmet,
} from '../../../src/suite/client.ts'
import { LISTED } from '../_add-numbers.ts'

interface Notes {
  /** the session that was forgotten, and the frame of the request during which it was */
  forgotten?: { id: string | undefined; seq: number }
}

const call = (a: number, b: number) => ({
  request: 'tools/call',
  params: { name: 'add_numbers', arguments: { a, b } },
  timeoutMs: 5_000,
})

/** Our server forgets the session when it has listed its tools. */
const FORGETTING = script({
  drive: { name: 'expired-session', steps: [{ request: 'tools/list' }, call(5, 3), call(2, 2)] },
  notes: (): Notes => ({}),
  play(server, notes) {
    server.on('tools/list', ({ conversation, frame }) => {
      if (notes.forgotten === undefined) {
        conversation.forget()
        notes.forgotten = { id: conversation.sessionId, seq: frame.seq }
      }
      return LISTED
    })
  },
})

export default clientScenario({
  title: 'The client opens a new session when the server does not know the old one any more',
  needs: { via: 'http' },
  script: FORGETTING,
  claims: {
    anew: 'transport-http.session.client-reinitializes-on-404',
    bare: 'transport-http.session.reinitialize-without-id',
  },
  *run(seen) {
    const { forgotten } = seen.notes
    if (forgotten === undefined) {
      yield unmet(undone(seen, 'list the tools'))
      return
    }
    const later = seen.requests.filter(({ frames, method }) => method === 'POST' && seqOf(frames) > forgotten.seq)
    const [refused, second] = later.filter(isRequest).filter(({ headers }) => idIn(headers) === forgotten.id)
    if (refused === undefined) {
      yield unmet(undone(seen, 'call a tool with the session id that was given'))
      return
    }
    const opening = later.find(({ json }) => at(json, 'method') === 'initialize')
    const wanted = 'a new initialize after HTTP 404'
    if (opening !== undefined && (second === undefined || opening.at <= second.at)) {
      yield judge('anew', true, wanted, opening.frames)
      const bare = idIn(opening.headers) === undefined
      yield judge('bare', bare, 'initialize without MCP-Session-Id', opening.frames, 'unasked')
      return
    }
    // To report the failed call is tolerated once; a client that is asked for another call has to open a session for it.
    const wasAskedAgain = second !== undefined || seen.steps.has(2)
    yield judge(
      'anew',
      wasAskedAgain ? 'breaks' : 'bends',
      wanted,
      second?.frames ?? fateOfStep(seen, wasAskedAgain ? 2 : 1),
      second === undefined ? 'missing' : 'ignored',
    )
    yield unmet('the client opened no new session', 'bare')
  },
  defects: [
    { named: 'goes on with the old id', breaks: 'anew', kind: 'ignored', replace: { onExpired: 'go on' } },
    { named: 'reports an error and nothing more', breaks: 'anew', kind: 'missing', replace: { onExpired: 'stop' } },
    {
      named: 'opens the new session with the old id',
      breaks: 'bare',
      kind: 'unasked',
      replace: { sessionHeader: ({ sessionId, previousId }) => sessionId ?? previousId },
    },
  ],
})

const seqOf = (frames: readonly Frame[]): number => frames[0]?.seq ?? 0

const idIn = (headers: ClientRun['requests'][number]['headers']) => headerValue(headers, 'mcp-session-id')

const isRequest = ({ json }: ClientRun['requests'][number]): boolean =>
  at(json, 'id') !== undefined && at(json, 'method') !== undefined
