import {
  at,
  type JsonObject,
  judge,
  type ServerPeer,
  serverScenario,
  type Tamper,
  tampers,
  textAt,
  unmet,
} from '../../../src/suite/server.ts'

const PROMPT = 'test_prompt_with_arguments'

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
        { subject: 'a second session' },
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
    for (const reply of replies)
      yield judge('served', reply.kind === 'result', 'an answer in each session', reply, { subject: 'ping' })
    for (const one of [peer, other]) {
      const answers = one.heard().filter(frame => textAt(frame.json, 'id')?.startsWith('same-'))
      yield judge('served', answers.length === 3, 'three answers to three requests in each session', answers, {
        kind: answers.length < 3 ? 'missing' : 'duplicate',
        subject: 'the answers of a session',
      })
    }
    if (await echoesPrompt(peer)) {
      // The same prompt with other words in each: what comes back shows whose answer it is.
      const words = [peer, other].flatMap((one, client) =>
        [0, 1, 2].map(count => ({ one, id: `text-${count}`, word: `word ${count} of client ${client}` })),
      )
      const texts = await Promise.all(
        words.map(({ one, id, word }) =>
          one.request('prompts/get', { name: PROMPT, arguments: { arg1: word, arg2: 'same' } }, { id }),
        ),
      )
      for (const [index, reply] of texts.entries()) {
        const own = reply.kind === 'result' && JSON.stringify(reply.result).includes(words[index]?.word ?? '')
        yield judge('served', own, `an answer with "${words[index]?.word}", which this client sent`, reply, {
          ...(reply.kind === 'result' ? { kind: 'leaked' } : {}),
          subject: PROMPT,
        })
      }
    }
    const get = await peer.http({ method: 'GET' })
    if (get.status >= 300 && get.status < 400) yield judge('path', 'bends', 'no redirect to another path', get)
    else yield judge('path', get.status !== 404, 'GET served at the URL that takes POST', get)
    if (replies.every(reply => reply.kind === 'none')) yield unmet('no ping was answered at all')
  },
  defects: [
    {
      named: 'one session at a time',
      breaks: 'served',
      kind: 'wrong-status',
      replace: () => ({ sessionIds: firstOnly() }),
    },
    { named: 'the words of the client before', breaks: 'served', kind: 'leaked', tamper: previousWords() },
    {
      named: 'a new session ends the old one',
      breaks: 'served',
      kind: 'wrong-status',
      also: ['path'],
      replace: lastOnly,
    },
    {
      named: 'GET redirects',
      breaks: 'path',
      kind: 'wrong-status',
      verdict: 'warn',
      tamper: out =>
        out.layer === 'http' && out.request.method === 'GET'
          ? [{ ...out, status: 307, headers: { Location: '/sse' }, body: '' }]
          : [out],
    },
    {
      named: 'GET lives at another path',
      breaks: 'path',
      kind: 'wrong-status',
      replace: { get: () => ({ status: 404, reason: 'use /sse' }) },
    },
  ],
  variants: [
    { named: 'no sessions', replace: { sessionIds: () => undefined, missingSession: () => undefined } },
    { named: 'no GET stream', replace: { get: () => ({ status: 405, reason: 'no stream' }) } },
  ],
})

/** The control: the fixture is there, and shows the words of a client that is alone. */
async function echoesPrompt(peer: ServerPeer): Promise<boolean> {
  if (peer.capabilities.prompts === undefined) return false
  const listed = await peer.request('prompts/list')
  const prompts = listed.kind === 'result' ? at(listed.result, 'prompts') : undefined
  if (!Array.isArray(prompts) || !prompts.some(prompt => at(prompt, 'name') === PROMPT)) return false
  const alone = await peer.request('prompts/get', { name: PROMPT, arguments: { arg1: 'alone', arg2: 'same' } })
  return alone.kind === 'result' && JSON.stringify(alone.result).includes('alone')
}

/** A result kept in a variable that all sessions share. */
function previousWords(): Tamper {
  let last: JsonObject | undefined
  return tampers.result('prompts/get', result => {
    const previous = last ?? result
    last = result
    return previous
  })
}

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
