import { judge, serverScenario, textAt, unmet } from '../../../src/suite.ts'

export default serverScenario({
  title: 'Several clients are served at the same time, each with its own answers',
  needs: { via: 'http' },
  session: 'fresh',
  claims: {
    served: 'transport-http.endpoint.multiple-clients',
    path: 'transport-http.endpoint.single-path',
  },
  async *run(peer) {
    const other = await peer.another({})
    if (other.opening?.kind !== 'result') {
      yield judge(
        'served',
        other.opening?.kind === 'error' ? 'bends' : 'breaks',
        'a second session beside the first',
        other.opening ?? { text: 'no answer', frames: [] },
      )
      return
    }
    // Equal ids on both sides, so that a mixed-up answer shows.
    const replies = await Promise.all(
      [0, 1, 2].flatMap(id => [
        peer.request('ping', undefined, { id: `same-${id}` }),
        other.request('ping', undefined, { id: `same-${id}` }),
      ]),
    )
    for (const reply of replies) yield judge('served', reply.kind === 'result', 'an answer in each session', reply)
    for (const one of [peer, other]) {
      const answers = one.heard().filter(frame => textAt(frame.json, 'id')?.startsWith('same-'))
      yield judge('served', answers.length === 3, 'three answers to three requests in each session', answers)
    }
    const get = await peer.http({ method: 'GET' })
    if (get.status >= 300 && get.status < 400) yield judge('path', 'bends', 'no redirect to another path', get)
    else yield judge('path', get.status !== 404, 'GET served at the URL that takes POST', get)
    if (replies.every(reply => reply.kind === 'none')) yield unmet('no ping was answered at all')
  },
  defects: [
    { named: 'one session at a time', breaks: 'served', replace: () => ({ sessionIds: firstOnly() }) },
    { named: 'a new session ends the old one', breaks: 'served', also: ['path'], replace: lastOnly },
    {
      named: 'GET redirects',
      breaks: 'path',
      tamper: out =>
        out.layer === 'http' && out.request.method === 'GET'
          ? [{ ...out, status: 307, headers: { Location: '/sse' }, body: '' }]
          : [out],
    },
    {
      named: 'GET lives at another path',
      breaks: 'path',
      replace: { get: () => ({ status: 404, reason: 'use /sse' }) },
    },
  ],
  variants: [
    { named: 'no sessions', replace: { sessionIds: () => undefined, missingSession: () => undefined } },
    { named: 'no GET stream', replace: { get: () => ({ status: 405, reason: 'no stream' }) } },
  ],
})

function firstOnly(): () => string {
  let given = 0
  return () => {
    given += 1
    if (given > 1) throw new Error('already initialized')
    return 'session-1-of-a-server-for-one-client'
  }
}

function lastOnly() {
  let newest = ''
  let count = 0
  return {
    sessionIds: () => {
      count += 1
      newest = `session-${count}-of-a-forgetful-server`
      return newest
    },
    versionHeader: (_value: string | undefined, session: { id: string } | undefined) =>
      session !== undefined && session.id !== newest ? { status: 404, reason: 'gone' } : undefined,
  }
}
