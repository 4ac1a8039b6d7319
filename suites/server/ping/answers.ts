import { codes, type Fault, isObject, judge, serverScenario, tampers } from '../../../src/suite/server.ts'

export default serverScenario({
  title: 'A ping is answered with an empty result',
  claims: {
    either: 'ping.initiate.either-side',
    empty: 'ping.response.empty-result',
    prompt: 'ping.response.prompt',
  },
  async *run(peer) {
    const reply = await peer.request('ping')
    const prompt = reply.kind === 'none' ? 'breaks' : reply.afterMs <= 2_000 ? 'holds' : 'bends'
    yield judge('prompt', prompt, 'an answer within 2 s', reply, 'late')
    if (reply.kind === 'none') return
    // A client may ping without asking for leave: there is no capability that could be missing.
    const refused = reply.kind === 'error' && reply.code === codes.methodNotFound
    if (reply.kind === 'result' || refused) yield judge('either', !refused, 'ping is a known method', reply)
    const members = reply.kind === 'result' && isObject(reply.result) ? Object.keys(reply.result) : undefined
    const empty = members?.every(name => name === '_meta') === true
    const fault: Fault = reply.kind === 'result' && members === undefined ? { kind: 'wrong-type' } : {}
    yield judge('empty', empty, 'the result {} (a _meta is tolerated)', reply, fault)
  },
  defects: [
    {
      named: 'the result has a member',
      breaks: 'empty',
      kind: 'wrong-value',
      tamper: tampers.result('ping', () => ({ pong: true })),
    },
    { named: 'the result is null', breaks: 'empty', kind: 'wrong-type', tamper: tampers.result('ping', () => null) },
    {
      named: 'ping is unknown',
      breaks: 'either',
      kind: 'refused',
      also: ['empty'],
      tamper: tampers.refuse('ping', -32601, 'no ping'),
    },
    {
      named: 'ping is never answered',
      breaks: 'prompt',
      kind: 'silent',
      replace: { drops: message => message.method === 'ping' },
    },
  ],
})
