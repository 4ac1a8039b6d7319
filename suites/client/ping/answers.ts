import {
  clientScenario,
  codes,
  failure,
  isObject,
  judge,
  type Reply,
  script,
  tampers,
  undone,
  unmet,
} from '../../../src/suite/client.ts'

const LIMIT_MS = 2_000
const LONGEST_MS = 10_000

interface Notes {
  plain?: Reply
  empty?: Reply
  meta?: Reply
}

/** Pings while the client waits for its tools: on the stream of that request, or on stdout. */
const PINGING = script({
  drive: { name: 'initialize' },
  notes: (): Notes => ({}),
  // A client that never answers is waited for, and not ended in between.
  lastsMs: LONGEST_MS,
  play(server, notes) {
    server.on('tools/list', async call => {
      notes.plain = await call.ask('ping', undefined, { withinMs: LONGEST_MS })
      notes.empty = await call.ask('ping', {})
      notes.meta = await call.ask('ping', { _meta: { 'com.example/trace': 'a-1' } })
      return { result: { tools: [] } }
    })
  },
})

export default clientScenario({
  title: 'The client answers a ping promptly and with an empty result',
  script: PINGING,
  claims: {
    allowed: 'ping.initiate.either-side',
    prompt: 'ping.response.prompt',
    empty: 'ping.response.empty-result',
    params: 'ping.request.no-params',
  },
  *run(seen) {
    const { plain, empty, meta } = seen.notes
    if (plain === undefined) {
      yield unmet(undone(seen, 'list the tools'))
      return
    }
    const late = plain.kind === 'none' ? 'breaks' : plain.afterMs > LIMIT_MS ? 'bends' : 'holds'
    yield judge('prompt', late, 'an answer within 2 s', plain, 'late')
    if (plain.kind === 'none') return
    yield judge('allowed', plain.kind === 'result', 'a result', plain)
    const others = plain.kind === 'result' && isObject(plain.result) ? Object.keys(plain.result) : []
    const bare = plain.kind === 'result' && isObject(plain.result) && others.every(member => member === '_meta')
    yield judge('empty', bare, 'a result without members', plain)
    for (const [subject, reply] of [
      ['empty params', empty],
      ['params with _meta', meta],
    ] as const)
      if (reply !== undefined)
        yield judge('params', reply.kind === 'result', 'a result also for empty params and _meta', reply, { subject })
  },
  defects: [
    {
      named: 'never answers',
      breaks: 'prompt',
      kind: 'silent',
      tamper: tampers.answer('ping', () => []),
    },
    {
      named: 'does not know ping',
      breaks: 'allowed',
      kind: 'refused',
      also: ['empty', 'params'],
      tamper: tampers.refuse('ping', codes.methodNotFound, 'Method not found'),
    },
    {
      named: 'answers "pong"',
      breaks: 'empty',
      kind: 'wrong-value',
      tamper: tampers.result('ping', () => ({ text: 'pong' })),
    },
    {
      named: 'takes no params',
      breaks: 'params',
      kind: 'refused',
      tamper: tampers.answer('ping', (message, cause) =>
        cause.params === undefined ? message : failure(message.id, codes.invalidParams, 'Invalid params'),
      ),
    },
  ],
})
