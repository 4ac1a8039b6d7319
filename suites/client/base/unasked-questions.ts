import {
  type ClientReplacement,
  clientScenario,
  codes,
  judge,
  refusal,
  request,
  response,
  responses,
  script,
  sent,
  undone,
  unmet,
} from '../../../src/suite/client.ts'

const QUESTIONS = ['ping', 'roots/list']

/** A server that asks, as it must not where there are no sessions, before it answers a call. */
const ASKING = script({
  drive: {
    name: 'questions-without-session',
    client: { roots: [{ uri: 'file:///project', name: 'project' }] },
    steps: [
      { request: 'tools/list' },
      { request: 'tools/call', params: { name: 'add_numbers', arguments: { a: 5, b: 3 } } },
      // An answer may be on its way.
      { pause: 200 },
    ],
  },
  setup: () => ({
    handlers: {
      async 'tools/call'(call) {
        for (const method of QUESTIONS) await call.push(request(`ours-${method}`, method), { intended: 'fault' })
        return { result: { content: [{ type: 'text', text: 'The sum is 8' }] } }
      },
    },
  }),
})

/** The reference that refuses what it is asked, instead of leaving it alone. */
const REFUSING: ClientReplacement = correct => ({
  modern: { ...correct.modern, onRequest: refusal(codes.methodNotFound) },
})

export default clientScenario({
  title: 'Where there are no sessions the client answers nothing that the server asks',
  needs: { since: '2026-07-28' },
  script: ASKING,
  claims: {
    posts: 'transport-http.client-no-response-posts',
    lines: 'transport-stdio.client-no-responses',
    directions: 'transport.directions',
  },
  *run(seen) {
    const [call] = sent(seen, 'tools/call')
    if (call === undefined) {
      yield unmet(undone(seen, 'call a tool'))
      return
    }
    const [said] = responses(seen)
    const result = said !== undefined && Object.hasOwn(said.message, 'result')
    const got = said?.frame ?? call.frame
    yield judge(seen.via === 'http' ? 'posts' : 'lines', said === undefined, 'no response', got, {
      kind: 'unasked',
      ...(said === undefined ? {} : { subject: result ? 'a result' : 'an error' }),
    })
    yield judge('directions', said === undefined, 'requests and notifications', got, 'unasked')
  },
  defects: [
    {
      named: 'answers with a result',
      breaks: 'directions',
      kind: 'unasked',
      also: ['posts', 'lines'],
      replace: correct => ({ modern: { ...correct.modern, onRequest: ({ id = null }) => response(id, {}) } }),
    },
    ...(['posts', 'lines'] as const).map(breaks => ({
      named: 'answers with an error',
      breaks,
      kind: 'unasked' as const,
      also: ['directions' as const],
      via: breaks === 'posts' ? ('http' as const) : ('stdio' as const),
      replace: REFUSING,
    })),
  ],
})
